import type { Logger } from '@switchboard/runtime';

interface Expiring {
  deleteExpired(limit: number): Promise<number>;
}

const EVERY_MS = 60_000;
const AT_ONCE = 1_000;

/** Deletes what has expired, a bounded number at a time and at most once a minute. */
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
      const count = await store.deleteExpired(AT_ONCE);
      if (count > 0) logger.debug({ name, count }, 'expired rows deleted');
      if (count > 0) onDeleted(name, count);
      // There may be more: the next sweep goes on.
      if (count === AT_ONCE) nextAt = 0;
    }
  };
}
