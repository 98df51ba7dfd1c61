import type { SessionCalls } from '../provider-sessions.ts';

/** Counts the calls in flight by account. */
export function createCallCounts(): SessionCalls {
  const counts = new Map<string, number>();
  const waiters = new Map<string, (() => void)[]>();

  function finish(id: string): void {
    const count = (counts.get(id) ?? 1) - 1;
    if (count > 0) {
      counts.set(id, count);
      return;
    }
    counts.delete(id);
    for (const resolve of waiters.get(id) ?? []) resolve();
    waiters.delete(id);
  }

  return {
    async run(id, call) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
      try {
        return await call();
      } finally {
        finish(id);
      }
    },
    async idle(id) {
      if (!counts.has(id)) return;
      await new Promise<void>((resolve) => {
        waiters.set(id, [...(waiters.get(id) ?? []), resolve]);
      });
    },
  };
}
