import pg from 'pg';

/** PgBouncer's own refusals, made before it has given a statement to any server. */
const BEFORE_ANY_SERVER =
  /^(query_wait_timeout|client_login_timeout|no more connections allowed|server login (has been failing|failed)|pgbouncer cannot connect|unsupported startup parameter)/;

/**
 * Whether PgBouncer surely has not handed the statement on. What else it says in its own name
 * ("server conn crashed?", "query_timeout") leaves open what the server did.
 */
export function isBeforeAnyServer({ message }: pg.DatabaseError): boolean {
  return BEFORE_ANY_SERVER.test(message);
}

/** The failure, in words where it is PgBouncer's surprise at a client that takes it for a server. */
export function explainConnectFailure(cause: unknown): string {
  return cause instanceof pg.DatabaseError && cause.message.startsWith('unsupported startup param')
    ? 'DATABASE_URL leads to PgBouncer: add pgbouncer=true to its query'
    : 'no connection to the database';
}
