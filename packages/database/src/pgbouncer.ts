import pg from 'pg';

/** By Prisma's own convention: https://www.prisma.io/docs/orm/prisma-client/setup-and-configuration/databases-connections/pgbouncer */
export function isThroughPgBouncer(url: string): boolean {
  return URL.canParse(url) && new URL(url).searchParams.get('pgbouncer') === 'true';
}

/**
 * A client whose every statement may run on another connection of the server's, as PgBouncer's
 * transaction mode has it: one that was prepared under a name is known to the connection that
 * happened to prepare it, and to no other.
 */
export class UnnamedClient extends pg.Client {
  override query(query: unknown, ...rest: unknown[]): never {
    return Reflect.apply(super.query, this, [withoutName(query), ...rest]) as never;
  }
}

function withoutName(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('name' in query)) return query;
  const { name: _name, ...unnamed } = query;
  return unnamed;
}

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
