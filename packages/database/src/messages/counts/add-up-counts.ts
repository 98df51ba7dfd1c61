import type { Database } from '../../database.ts';
import { runStatement } from '../../run-statement.ts';

// Counts of today and yesterday stay as each process has counted them, because they change with every message.
const ADD_UP = `
SELECT add_up_message_counts((now() AT TIME ZONE 'UTC')::date - 1, $1::int) AS count`;

/**
 * Creates the function that adds up to `limit` counts of past days, which each process has made by itself, to the
 * common counts, and returns their number.
 */
export function createAddUpCounts({ pool }: Pick<Database, 'pool'>) {
  return async (limit: number): Promise<number> => {
    const [row] = await runStatement<{ count: number }>(pool, ADD_UP, [limit]);
    return row?.count ?? 0;
  };
}
