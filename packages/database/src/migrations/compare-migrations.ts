import type { Database } from '../database.ts';
import { type Standing, findStanding, hasHistory } from './migration-history.ts';
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
  const standing: Standing = (await hasHistory(pool))
    ? await findStanding(pool, migrations)
    : { pending: migrations, newer: [] };
  return { ...standing, pending: standing.pending.map(({ name }) => name) };
}
