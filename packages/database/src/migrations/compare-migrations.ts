import type { Database } from '../database.ts';
import { type MigrationStatus, readMigrationStatus, hasHistory } from './migration-history.ts';
import { MIGRATIONS_DIRECTORY, readMigrations } from './read-migrations.ts';

/**
 * Returns the migrations that `migrate` would apply, and those that a later version has applied.
 * Changes nothing and waits for no lock.
 *
 * @throws MigrationError if this version can't work with the database
 */
export async function compareMigrations(
  { pool }: Pick<Database, 'pool'>,
  directory: string = MIGRATIONS_DIRECTORY,
): Promise<{ pending: string[]; newer: string[] }> {
  const migrations = await readMigrations(directory);
  const status: MigrationStatus = (await hasHistory(pool))
    ? await readMigrationStatus(pool, migrations)
    : { pending: migrations, newer: [] };
  return { ...status, pending: status.pending.map(({ name }) => name) };
}
