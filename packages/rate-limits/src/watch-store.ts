import { setTimeout as delay } from 'node:timers/promises';

/** Whether a store that requests depend on is there, so that no request waits to find out. */
export interface StoreWatch {
  isAway(): boolean;
  /** Says that a call has failed. From then on the store is away, until it answers a ping. */
  reportFailure(error: unknown): void;
  close(): void;
}

const PING_INTERVAL_MS = 1_000;

export function watchStore(options: {
  /** Resolves when the store answers; rejects within a bounded time otherwise. */
  ping(): Promise<unknown>;
  onError(error: unknown): void;
}): StoreWatch {
  const closing = new AbortController();
  let away = false;

  async function waitForReturn(): Promise<void> {
    while (away && !closing.signal.aborted) {
      try {
        await delay(PING_INTERVAL_MS, undefined, { signal: closing.signal, ref: false });
        await options.ping();
        away = false;
      } catch {
        // Still away, or closed.
      }
    }
  }

  return {
    isAway: () => away,
    reportFailure(error) {
      if (away || closing.signal.aborted) return;
      away = true;
      options.onError(error);
      void waitForReturn();
    },
    close: () => closing.abort(),
  };
}
