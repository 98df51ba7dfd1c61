/**
 * Returns a function that reports to the metrics whether the process is ready, and that never waits
 * for a part that hangs: a scrape that times out loses every metric of the process, including this
 * one.
 *
 * While a check takes longer than `waitMs`, the result of the previous check counts, and after
 * `limitMs` the process is not ready. `limitMs` is the time after which a load balancer gives up
 * its own check.
 */
export function createReadinessProbe(
  check: () => Promise<boolean>,
  { waitMs = 200, limitMs = 5_000 } = {},
): () => Promise<boolean> {
  let latest = false;
  let running: { startedAt: number; done: Promise<void> } | null = null;

  function startCheck(): { startedAt: number; done: Promise<void> } {
    const done = check()
      .then((isReady) => {
        latest = isReady;
      })
      .finally(() => {
        running = null;
      });
    return { startedAt: performance.now(), done };
  }

  return async function isReady() {
    const { startedAt, done } = (running ??= startCheck());
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs);
    });
    await Promise.race([done, limit]);
    clearTimeout(timer);
    return latest && (running === null || performance.now() - startedAt < limitMs);
  };
}
