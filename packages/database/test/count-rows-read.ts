import type { Database } from '../src/index.ts';

/**
 * Returns how many rows of a table the statements of `work` read. The database has one connection, so that a transaction
 * contains them.
 */
export async function countRowsRead(
  { pool }: Pick<Database, 'pool'>,
  table: string,
  work: () => Promise<unknown>,
): Promise<number> {
  if (pool.options.max !== 1) throw new Error('The pool has more than one connection.');
  // These counts may include those of earlier transactions, but no count is removed before a
  // transaction ends.
  const read = async (): Promise<number> => {
    const { rows } = await pool.query<{ count: number }>(
      `SELECT seq_tup_read + COALESCE(idx_tup_fetch, 0) AS count
       FROM pg_stat_xact_user_tables WHERE relname = $1`,
      [table],
    );
    return rows[0]?.count ?? 0;
  };
  await pool.query('BEGIN');
  try {
    const before = await read();
    await work();
    return (await read()) - before;
  } finally {
    await pool.query('ROLLBACK');
  }
}
