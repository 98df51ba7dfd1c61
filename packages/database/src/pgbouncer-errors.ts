import pg from 'pg';

/** The errors that PgBouncer returns before it has sent the statement to a server. */
const BEFORE_ANY_SERVER =
  /^(query_wait_timeout|client_login_timeout|no more connections allowed|server login (has been failing|failed)|pgbouncer cannot connect|unsupported startup parameter)/;

/**
 * Returns whether PgBouncer has certainly not sent the statement to a server. After its other errors
 * ("server conn crashed?", "query_timeout"), the server may have run the statement.
 */
export function isBeforeAnyServer({ message }: pg.DatabaseError): boolean {
  return BEFORE_ANY_SERVER.test(message);
}

/** Describes the failure. PgBouncer rejects clients with settings that only PostgreSQL supports. */
export function explainConnectFailure(cause: unknown): string {
  return cause instanceof pg.DatabaseError && cause.message.startsWith('unsupported startup param')
    ? 'DATABASE_URL points to PgBouncer: add pgbouncer=true to its query'
    : 'no connection to the database';
}
