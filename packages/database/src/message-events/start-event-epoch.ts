import { randomBytes } from 'node:crypto';
import type { Database } from '../database.ts';
import { runStatement } from '../sql-error.ts';

/**
 * Begins a new epoch of events, for a database that was restored: event numbers given out before
 * mean other events now. The epoch is drawn and not counted, because a second restore of the same
 * backup would count to the same number.
 */
export function createStartEventEpoch({ pool }: Pick<Database, 'pool'>) {
  return async (): Promise<void> => {
    const restoreId = randomBytes(4).readUInt32BE();
    await runStatement(pool, 'UPDATE event_epoch SET restore_id = $1::bigint', [restoreId]);
  };
}
