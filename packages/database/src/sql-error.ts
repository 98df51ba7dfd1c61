import pg from 'pg';
import { Prisma } from './generated/client.ts';
import { isBeforeAnyServer } from './pgbouncer-errors.ts';

/**
 * The effect of a failed statement:
 * - `bad_row`: the server refused the data (class 22, 23). Nothing of the statement is stored.
 * - `not_done`: the server refused for another reason, or there was no connection. Nothing is stored,
 *   and the same statement may succeed later.
 * - `in_doubt`: the connection was lost or timed out. The statement may be committed.
 */
export type SqlFailure = 'bad_row' | 'not_done' | 'in_doubt';

/**
 * A server that shuts down or has crashed ends its connections with these codes, possibly just after a
 * commit that it has not confirmed.
 */
const ENDED_CONNECTION = new Set(['57P01', '57P02']);

export function classifySqlError(error: unknown): SqlFailure {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return 'in_doubt';
  if (ENDED_CONNECTION.has(error.code)) return 'in_doubt';
  // Errors of a connection, including PgBouncer's error for a server that it lost during a statement.
  if (error.code.startsWith('08')) return isBeforeAnyServer(error) ? 'not_done' : 'in_doubt';
  return error.code.startsWith('22') || error.code.startsWith('23') ? 'bad_row' : 'not_done';
}

/** The server accepts no writes: it is a standby, or was made read-only. */
const READ_ONLY = '25006';

/**
 * Returns whether to close the connection that a statement failed on: after a timeout or a lost
 * connection, the client still owns a statement, and a server that became a standby refuses all later
 * writes on this connection.
 */
export function isConnectionUnusable(error: unknown): boolean {
  return (
    classifySqlError(error) === 'in_doubt' ||
    (error instanceof pg.DatabaseError && error.code === READ_ONLY)
  );
}

/** A lock was not available in time, or the statement was the victim of a deadlock. */
const BLOCKED = new Set(['55P03', '40P01']);

/**
 * Returns whether the server ended a statement because other transactions blocked it. Nothing of it is
 * stored, and a part of it may succeed.
 */
export function isBlocked(error: unknown): boolean {
  return error instanceof pg.DatabaseError && BLOCKED.has(error.code ?? '');
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505';
}

/** The server canceled the statement: at its timeout, or because an operator asked it to. */
const CANCELED = '57014';

/** Returns whether the server ended a statement because it took longer than its timeout. */
export function isStatementTimeout(error: unknown): boolean {
  if (!(error instanceof Error) || error.message.includes('due to user request')) return false;
  return sqlStateOf(error) === CANCELED;
}

/** Returns PostgreSQL's error code, whichever client reports the error; null if there is none. */
function sqlStateOf(error: Error): string | null {
  if (error instanceof pg.DatabaseError) return error.code ?? null;
  const reported =
    error instanceof Prisma.PrismaClientKnownRequestError
      ? error.meta?.['driverAdapterError']
      : error;
  const cause = reported instanceof Error ? reported.cause : null;
  const code: unknown =
    typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'originalCode') : null;
  return typeof code === 'string' ? code : null;
}

/** There was no connection to the database, so nothing was sent to it. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/**
 * PostgreSQL's error codes for a temporary failure: connection, resources, shutdown, deadlock, a
 * transaction that was idle for too long, a standby that accepts no writes yet, a statement that waited for
 * a lock until its timeout, or a lock that is not available.
 */
const UNAVAILABLE = /^(08|40|53|57|58|25P03|25006|55P03)/;

/**
 * Prisma's codes for a database that is unreachable, timed out, or has no free connection, and for a
 * transaction that did not start in time or was rolled back at its timeout (P2028) or in a deadlock (P2034).
 */
const UNAVAILABLE_PRISMA = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034']);

/**
 * Returns whether a read, or a write that never reached the server or was rolled back, failed because the
 * database is unavailable or too busy. Also returns true for a statement whose outcome is in doubt, so call
 * it only for statements that are safe to repeat.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  if (!(error instanceof Error)) return false;
  const state = sqlStateOf(error);
  if (state !== null) return UNAVAILABLE.test(state);
  if ('code' in error && typeof error.code === 'string') {
    if (UNAVAILABLE_PRISMA.has(error.code)) return true;
    if (/^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH)$/.test(error.code))
      return true;
  }
  // pg's own errors have no code.
  if (
    /^(Connection terminated|Query read timeout|timeout exceeded when trying)/.test(error.message)
  )
    return true;
  return error.cause !== undefined && isDatabaseUnavailable(error.cause);
}
