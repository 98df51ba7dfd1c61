/**
 * Limits the number of calls in flight. The waiting is done here and not in undici's pool: that
 * hands its queue to clients which it has dropped after a connection error, so its own bound does
 * not hold while the other side is down, and it can't forget a call whose deadline has passed.
 */
export function createConnectionSlots(limit: number) {
  let free = limit;
  // A set keeps the order of arrival and lets go of any entry at once.
  const waiting = new Set<() => void>();

  return {
    /** Calls `start` as soon as a slot is free, perhaps at once. Returns the way to stop waiting. */
    take(start: () => void): () => void {
      if (free > 0) {
        free -= 1;
        start();
        return () => {};
      }
      waiting.add(start);
      return () => waiting.delete(start);
    },
    release(): void {
      const [next] = waiting;
      if (next === undefined) {
        free += 1;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}
