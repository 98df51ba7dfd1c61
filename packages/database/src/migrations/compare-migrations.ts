import type { Database } from '../database.ts';
import { type Standing, findStanding, hasHistory } from './migration-history.ts';
import { MIGRATIONS_DIRECTORY, readMigrations } from './read-migrations.ts';

/**
 * What `migrate` would apply, and what a later version has applied. Changes nothing and waits for
 * nobody. Throws `MigrationError` when the database is not one that this version can work with.
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
