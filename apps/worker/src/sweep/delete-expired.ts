import type { Logger } from '@switchboard/runtime';

interface Expiring {
  deleteExpired(limit: number): Promise<number>;
}

const EVERY_MS = 60_000;
const AT_ONCE = 5_000;
/** After so long it is the other tasks' turn; the next sweep goes on. */
const BUDGET_MS = 500;

/**
 * Deletes what has expired, at most once a minute, all of it: batch after batch, so that it keeps up
 * with whatever rate the rows were made at.
 */
export function createDeleteExpired<Name extends string>(
  stores: Record<Name, Expiring>,
  logger: Logger,
  onDeleted: (name: Name, count: number) => void,
) {
  let nextAt = 0;

  return async function deleteExpired(): Promise<void> {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + EVERY_MS;
    for (const [name, store] of Object.entries<Expiring>(stores) as [Name, Expiring][]) {
      const startedAt = performance.now();
      let count: number;
      do {
        count = await store.deleteExpired(AT_ONCE);
        if (count > 0) logger.debug({ name, count }, 'expired rows deleted');
        if (count > 0) onDeleted(name, count);
      } while (count === AT_ONCE && performance.now() - startedAt < BUDGET_MS);
      if (count === AT_ONCE) nextAt = 0;
    }
  };
}
