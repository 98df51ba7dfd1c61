import type pg from 'pg';
import { explainConnectFailure } from './pgbouncer-errors.ts';
import { type GrowingTable, findSizeClass } from './size-class.ts';
import { DatabaseUnavailableError, isConnectionUnusable } from './sql-error.ts';

/** A statement that the server parses and plans once for each connection. */
export interface Prepared {
  name: string;
  text: string;
  /**
   * The tables of the rows that the statement finds, if they grow without limit. The statement is
   * then planned once for each size class of the tables. See `size-class.ts`.
   */
  growsWith?: readonly GrowingTable[];
}

function toQuery(pool: pg.Pool, statement: string | Prepared, values: unknown[]): pg.QueryConfig {
  if (typeof statement === 'string') return { text: statement, values };
  const { name, text, growsWith } = statement;
  if (growsWith === undefined) return { name, text, values };
  const sizeClass = findSizeClass(pool, growsWith);
  return sizeClass === null ? { text, values } : { name: `${name}_${sizeClass}`, text, values };
}

/**
 * Runs one statement.
 *
 * @throws DatabaseUnavailableError if the statement never reached the server
 */
export async function runStatement<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: string | Prepared,
  values: unknown[],
): Promise<Row[]> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (cause) {
    throw new DatabaseUnavailableError(explainConnectFailure(cause), { cause });
  }
  let failure: Error | undefined;
  try {
    return (await client.query<Row>(toQuery(pool, statement, values))).rows;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw failure;
  } finally {
    client.release(failure !== undefined && isConnectionUnusable(failure));
  }
}

export type Run = <Row extends pg.QueryResultRow>(
  statement: string | Prepared,
  values: unknown[],
) => Promise<Row[]>;
