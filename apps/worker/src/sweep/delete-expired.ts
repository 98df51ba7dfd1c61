import type { Logger } from '@switchboard/runtime';

interface ExpiringStore {
  deleteExpired(limit: number): Promise<number>;
}

const EVERY_MS = 60_000;
const BATCH_SIZE = 5_000;
/** The maximum time per sweep, so that other tasks run; the next sweep continues. */
const BUDGET_MS = 500;

/**
 * Deletes all expired rows, at most once a minute, in batches until none are left, so that it keeps
 * up with any rate of new rows.
 */
export function createDeleteExpired<Name extends string>(
  stores: Record<Name, ExpiringStore>,
  logger: Logger,
  onDeleted: (name: Name, count: number) => void,
) {
  let nextAt = 0;

  return async function deleteExpired(): Promise<void> {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + EVERY_MS;
    for (const [name, store] of Object.entries<ExpiringStore>(stores) as [Name, ExpiringStore][]) {
      const startedAt = performance.now();
      let count: number;
      do {
        count = await store.deleteExpired(BATCH_SIZE);
        if (count > 0) logger.debug({ name, count }, 'expired rows deleted');
        if (count > 0) onDeleted(name, count);
      } while (count === BATCH_SIZE && performance.now() - startedAt < BUDGET_MS);
      if (count === BATCH_SIZE) nextAt = 0;
    }
  };
}
