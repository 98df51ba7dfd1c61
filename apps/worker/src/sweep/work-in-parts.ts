/** The maximum time per sweep, so that other tasks run; the next sweep continues. */
const BUDGET_MS = 200;

/**
 * Creates a task that does part of some work in each sweep until no work is left, and checks for
 * more after `everyMs`.
 *
 * @param work returns whether there is more to do
 */
export function createWorkInParts(
  work: (budgetMs: number) => Promise<boolean>,
  everyMs: number,
): () => Promise<void> {
  let nextAt = 0;

  return async function workInParts(): Promise<void> {
    if (performance.now() < nextAt) return;
    const hasMore = await work(BUDGET_MS);
    nextAt = hasMore ? 0 : performance.now() + everyMs;
  };
}
