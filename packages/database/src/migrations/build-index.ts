import type { Client } from 'pg';
import type { Migration } from './read-migrations.ts';

/** One statement and nothing else, comments aside. */
const ONE_INDEX =
  /^(?:\s|--[^\n]*\n)*CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+"?(\w+)"?\s[^;]*;?\s*$/i;

/** The name of the index that is all a migration builds, beside the writers; null of any other. */
export function findConcurrentIndex({ script }: Pick<Migration, 'script'>): string | null {
  return ONE_INDEX.exec(script)?.[1] ?? null;
}

/**
 * Builds it outside of a transaction, as PostgreSQL wants it. It waits for transactions that began
 * before, and nobody waits for it. What a failed attempt has left is of no use; an index that is
 * whole was built by an attempt that died before it could say so, or by hand.
 */
export async function buildIndex(
  client: Client,
  { script }: Pick<Migration, 'script'>,
  index: string,
  waitMs: number,
): Promise<void> {
  const { rows } = await client.query<{ name: string; whole: boolean }>(
    `SELECT indexrelid::regclass::text AS name, indisvalid AS whole FROM pg_index
      WHERE indexrelid = to_regclass(quote_ident($1))`,
    [index],
  );
  const [left] = rows;
  if (left?.whole === true) return;
  const { rows: before } = await client.query<{ lock_timeout: string }>('SHOW lock_timeout');
  await client.query(`SET lock_timeout = ${Math.ceil(waitMs)}`);
  try {
    if (left !== undefined) await client.query(`DROP INDEX CONCURRENTLY ${left.name}`);
    await client.query(script);
  } finally {
    await client.query(`SET lock_timeout = '${before[0]?.lock_timeout ?? '0'}'`);
  }
}
