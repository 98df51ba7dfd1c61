/**
 * Creates a function that runs at most `limit` tasks at the same time, and one of each owner, in the order of
 * their arrival.
 */
export function createFairTurns(limit: number) {
  const running = new Set<string>();
  const waiting: { owner: string; start(): void }[] = [];

  function startNext(): void {
    while (running.size < limit) {
      const at = waiting.findIndex(({ owner }) => !running.has(owner));
      const [next] = at < 0 ? [] : waiting.splice(at, 1);
      if (next === undefined) return;
      running.add(next.owner);
      next.start();
    }
  }

  return async function takeTurn<Result>(
    owner: string,
    task: () => Promise<Result>,
  ): Promise<Result> {
    await new Promise<void>((start) => {
      waiting.push({ owner, start });
      startNext();
    });
    try {
      return await task();
    } finally {
      running.delete(owner);
      startNext();
    }
  };
}
