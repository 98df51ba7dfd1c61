import type { Database } from '../database.ts';
import { findPending, hasHistory } from './migration-history.ts';
import { MIGRATIONS_DIRECTORY, readMigrations } from './read-migrations.ts';

/**
 * The names of the migrations that `migrate` would apply. Changes nothing and waits for nobody.
 * Throws `MigrationError` when what was applied is not what this version brings.
 */
export async function listPendingMigrations(
  { pool }: Pick<Database, 'pool'>,
  directory: string = MIGRATIONS_DIRECTORY,
): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const pending = (await hasHistory(pool)) ? await findPending(pool, migrations) : migrations;
  return pending.map(({ name }) => name);
}
