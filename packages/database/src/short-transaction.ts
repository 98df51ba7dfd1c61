import type pg from 'pg';
import { explainConnectFailure } from './pgbouncer-errors.ts';
import type { Run } from './run-statement.ts';
import { DatabaseUnavailableError, isConnectionUnusable } from './sql-error.ts';

/**
 * Runs a transaction of background work. It fails soon if it has to wait for a lock or the database is too busy, so that
 * the work of requests does not wait for it.
 *
 * @throws DatabaseUnavailableError if there is no connection
 */
export async function inShortTransaction<Result>(
  pool: pg.Pool,
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch((cause: unknown) => {
    throw new DatabaseUnavailableError(explainConnectFailure(cause), { cause });
  });
  const run: Run = async (statement, values) => {
    const query = typeof statement === 'string' ? { text: statement } : statement;
    return (await client.query<never>({ ...query, values })).rows;
  };
  let failure: Error | undefined;
  try {
    await client.query(
      `BEGIN; SET LOCAL lock_timeout = '500ms'; SET LOCAL statement_timeout = '5s'`,
    );
    const result = await work(run);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    // After a lost connection this fails too, and the first error is the relevant one.
    await client.query('ROLLBACK').catch(() => undefined);
    throw failure;
  } finally {
    client.release(failure !== undefined && isConnectionUnusable(failure));
  }
}
