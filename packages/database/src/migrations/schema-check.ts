import type { Database } from '../database.ts';
import { compareMigrations } from './compare-migrations.ts';
import { MigrationError } from './migration-error.ts';

/**
 * For a process that starts: on a schema older than itself code fails in places that nobody has
 * thought of. The check rejects with a `MigrationError`, a sentence for the operator, as long as
 * that is so, and with the database's own error while that does not answer. Once it was good it
 * stays good, and costs nothing: schemas only move on.
 */
export function createSchemaCheck(
  database: Pick<Database, 'pool'>,
  directory?: string,
): () => Promise<void> {
  let isGood = false;
  return async () => {
    if (isGood) return;
    const { pending } = await compareMigrations(database, directory);
    if (pending.length > 0) {
      throw new MigrationError(
        `The database is older than this version: run \`npm run migrate\` first (${pending.join(', ')} not applied).`,
      );
    }
    isGood = true;
  };
}
