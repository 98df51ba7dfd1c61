import type { Database } from '../database.ts';
import { runStatement } from '../run-statement.ts';

// Counts of today and yesterday stay in their slots, because these change with every message.
const FOLD = `
SELECT add_up_message_counts((now() AT TIME ZONE 'UTC')::date - 1, $1::int) AS count`;

/**
 * Creates the function that moves up to `limit` counts of past days from the slots to the common counts,
 * and returns their number.
 */
export function createFoldSlotCounts({ pool }: Pick<Database, 'pool'>) {
  return async (limit: number): Promise<number> => {
    const [row] = await runStatement<{ count: number }>(pool, FOLD, [limit]);
    return row?.count ?? 0;
  };
}
