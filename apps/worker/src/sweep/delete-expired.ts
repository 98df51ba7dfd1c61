import type { Logger } from '@switchboard/runtime';

interface Expiring {
  deleteExpired(limit: number): Promise<number>;
}

const EVERY_MS = 60_000;
const AT_ONCE = 5_000;
/** The maximum time per sweep, so that other tasks run; the next sweep continues. */
const BUDGET_MS = 500;

/**
 * Deletes all expired rows, at most once a minute, in batches until none are left, so that it keeps
 * up with any rate of new rows.
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
