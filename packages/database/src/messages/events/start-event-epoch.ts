import { randomBytes } from 'node:crypto';
import type { Database } from '../../database.ts';
import { runStatement } from '../../run-statement.ts';

/**
 * Returns a function that starts a new epoch of events in a restored database, where earlier event
 * numbers now belong to other events. The epoch is random, because with a counter a second restore of
 * the same backup would have the same number.
 */
export function createStartEventEpoch({ pool }: Pick<Database, 'pool'>) {
  return async (): Promise<void> => {
    const restoreId = randomBytes(4).readUInt32BE();
    await runStatement(pool, 'UPDATE event_epoch SET restore_id = $1::bigint', [restoreId]);
  };
}
