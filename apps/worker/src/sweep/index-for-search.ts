import type { IndexMessages } from '@switchboard/database';

const EVERY_MS = 60_000;
/** The maximum time per sweep, so that other tasks run; the next sweep continues. */
const BUDGET_MS = 200;

/** Makes older messages searchable, at most once a minute, and in every sweep while there are more. */
export function createIndexForSearch(indexMessages: IndexMessages) {
  let nextAt = 0;

  return async function indexForSearch(): Promise<void> {
    if (performance.now() < nextAt) return;
    const hasMore = await indexMessages(BUDGET_MS);
    nextAt = hasMore ? 0 : performance.now() + EVERY_MS;
  };
}
