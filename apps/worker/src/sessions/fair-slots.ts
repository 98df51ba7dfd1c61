/** Runs work in a slot, as soon as the user has one. */
export type RunInSlot = <T>(user: string, work: () => Promise<T>) => Promise<T>;

/**
 * Limits work in progress, for each user and in all. Users take turns, so the backlog of one delays the work of
 * another by one turn.
 */
export function createFairSlots({ each, inAll }: { each: number; inAll: number }): RunInSlot {
  /** Users with waiting work, in the order of their turns. */
  const waiting = new Map<string, (() => void)[]>();
  const running = new Map<string, number>();
  let total = 0;

  function change(user: string, by: 1 | -1): void {
    total += by;
    const count = (running.get(user) ?? 0) + by;
    if (count > 0) running.set(user, count);
    else running.delete(user);
  }

  function admit(): void {
    for (const [user, starts] of waiting) {
      if (total >= inAll) return;
      if ((running.get(user) ?? 0) >= each) continue;
      const start = starts.shift();
      waiting.delete(user);
      // Moves the user to the end of the order, which this loop reaches again.
      if (starts.length > 0) waiting.set(user, starts);
      change(user, 1);
      start?.();
    }
  }

  return async function runInSlot(user, work) {
    await new Promise<void>((resolve) => {
      const starts = waiting.get(user);
      if (starts === undefined) waiting.set(user, [resolve]);
      else starts.push(resolve);
      admit();
    });
    try {
      return await work();
    } finally {
      change(user, -1);
      admit();
    }
  };
}
