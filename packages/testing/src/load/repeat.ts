/**
 * Runs a function repeatedly. The returned function stops the repetition, waits for the last run to end, and
 * throws the error with which a run failed.
 */
export function repeat(run: () => Promise<void>): () => Promise<void> {
  let isStopped = false;
  async function runUntilStopped(): Promise<void> {
    while (!isStopped) await run();
  }
  const running = runUntilStopped();
  running.catch(() => undefined); // The returned function throws the error.
  return async () => {
    isStopped = true;
    await running;
  };
}
