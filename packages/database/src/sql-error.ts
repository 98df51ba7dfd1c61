import pg from 'pg';
import { type GrowingTable, findSizeClass } from './size-class.ts';
import { explainConnectFailure, isBeforeAnyServer } from './pgbouncer-errors.ts';

/**
 * What a failed statement leaves behind:
 * - `bad_row`: the server refused the data (class 22, 23); nothing of the statement is stored.
 * - `not_done`: the server said no for a reason of its own, or no connection was had; nothing is
 *   stored and the same may succeed later.
 * - `in_doubt`: the connection was lost or went silent; the statement may be committed.
 */
export type SqlFailure = 'bad_row' | 'not_done' | 'in_doubt';

/**
 * A server that shuts down or has crashed ends its connections with these, also right after a
 * commit whose success it has not told yet.
 */
const ENDED_CONNECTION = new Set(['57P01', '57P02']);

export function classifySqlError(error: unknown): SqlFailure {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return 'in_doubt';
  if (ENDED_CONNECTION.has(error.code)) return 'in_doubt';
  // Of a connection, and what PgBouncer says when it has lost the server under a statement.
  if (error.code.startsWith('08')) return isBeforeAnyServer(error) ? 'not_done' : 'in_doubt';
  return error.code.startsWith('22') || error.code.startsWith('23') ? 'bad_row' : 'not_done';
}

/** The server takes no writes: it is a standby, or was made read-only. */
const READ_ONLY = '25006';

/** A lock was not had in time, or a deadlock was resolved. */
const BLOCKED = new Set(['55P03', '40P01']);

/**
 * Whether the server ended a statement because other transactions were in its way. Nothing of it is
 * stored, and a part of it may well succeed.
 */
export function isBlocked(error: unknown): boolean {
  return error instanceof pg.DatabaseError && BLOCKED.has(error.code ?? '');
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505';
}

/** No connection to the database could be had; surely nothing was sent to it. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/** A statement that the server parses and plans once for each connection. */
export interface Prepared {
  name: string;
  text: string;
  /**
   * The table whose rows it finds, where that grows without end: then it is planned once for each
   * class of its size. See `size-class.ts`.
   */
  growsWith?: GrowingTable;
}

function toQuery(pool: pg.Pool, statement: string | Prepared, values: unknown[]): pg.QueryConfig {
  if (typeof statement === 'string') return { text: statement, values };
  const { name, text, growsWith } = statement;
  if (growsWith === undefined) return { name, text, values };
  const sizeClass = findSizeClass(pool, growsWith);
  return sizeClass === null ? { text, values } : { name: `${name}_${sizeClass}`, text, values };
}

/** Runs one statement and tells "never reached the server" from every other failure. */
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
    client.release(failure !== undefined && isOfNoMoreUse(failure));
  }
}

/**
 * After a time-out or a lost connection the client still owns a statement. And a server that has
 * become a standby would refuse every later write on this connection, too.
 */
function isOfNoMoreUse(failure: Error): boolean {
  return (
    classifySqlError(failure) === 'in_doubt' ||
    (failure instanceof pg.DatabaseError && failure.code === READ_ONLY)
  );
}

export type Run = <Row extends pg.QueryResultRow>(
  statement: string | Prepared,
  values: unknown[],
) => Promise<Row[]>;

/**
 * PostgreSQL's own words for "not now": connection trouble, out of resources, shutting down, a
 * deadlock, a standby that takes no writes yet, a lock that is not had.
 */
const UNAVAILABLE = /^(08|40|53|57|58|25006|55P03)/;

/** Prisma's codes for a database that can't be reached, timed out, or has no connection left. */
const UNAVAILABLE_PRISMA = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024']);

/**
 * Whether a failed read, or a write that never reached the server, failed because the database is
 * away. A statement of ours whose fate is in doubt counts too: only ask for what is safe to repeat.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  if (error instanceof pg.DatabaseError) {
    return UNAVAILABLE.test(error.code ?? '');
  }
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') {
    if (UNAVAILABLE_PRISMA.has(error.code)) return true;
    // One code for all that befalls a transaction; this one had no connection to begin on.
    if (error.code === 'P2028') return error.message.includes('Unable to start a transaction');
    if (/^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH)$/.test(error.code))
      return true;
  }
  // pg's own failures carry no code.
  if (
    /^(Connection terminated|Query read timeout|timeout exceeded when trying)/.test(error.message)
  )
    return true;
  return error.cause !== undefined && isDatabaseUnavailable(error.cause);
}
