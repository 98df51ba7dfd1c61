/**
 * Limits the number of calls in flight. Calls wait here and not in undici's pool, for two reasons:
 * after a connection error, the pool assigns its queue to clients that it has dropped, so its own
 * limit does not hold while the server is down; and it cannot remove a call whose deadline has
 * passed.
 */
export function createConnectionSlots(limit: number) {
  let free = limit;
  // A set keeps insertion order and deletes any entry in constant time.
  const waiting = new Set<() => void>();

  return {
    /**
     * Calls `start` as soon as a slot is free, possibly synchronously. Returns a function that
     * stops waiting.
     */
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
