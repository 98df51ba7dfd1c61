import type { Client } from 'pg';
import type { Migration } from './read-migrations.ts';

/** Matches a script with a single statement, except for comments. */
const ONE_INDEX =
  /^(?:\s|--[^\n]*\n)*CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+"?(\w+)"?\s[^;]*;?\s*$/i;

/** Returns the name of the index if the migration only builds one CONCURRENTLY, and otherwise null. */
export function findConcurrentIndex({ script }: Pick<Migration, 'script'>): string | null {
  return ONE_INDEX.exec(script)?.[1] ?? null;
}

/**
 * Builds the index outside of a transaction, as PostgreSQL requires. It waits for earlier transactions
 * but blocks no others. An invalid index of a failed attempt is dropped. A valid index was built by an
 * attempt that ended before it was recorded, or manually.
 */
export async function buildIndex(
  client: Client,
  { script }: Pick<Migration, 'script'>,
  index: string,
  waitMs: number,
): Promise<void> {
  const { rows } = await client.query<{ name: string; valid: boolean }>(
    `SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index
      WHERE indexrelid = to_regclass(quote_ident($1))`,
    [index],
  );
  const [existing] = rows;
  if (existing?.valid === true) return;
  const { rows: before } = await client.query<{ lock_timeout: string }>('SHOW lock_timeout');
  await client.query(`SET lock_timeout = ${Math.ceil(waitMs)}`);
  try {
    if (existing !== undefined) await client.query(`DROP INDEX CONCURRENTLY ${existing.name}`);
    await client.query(script);
  } finally {
    await client.query(`SET lock_timeout = '${before[0]?.lock_timeout ?? '0'}'`);
  }
}
