import pg from 'pg';

/**
 * A client that sends no named statements. In PgBouncer's transaction mode, each statement may run on
 * another server connection, and only the connection that prepared a named statement has it.
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
