import type { Database } from '../database.ts';
import { compareMigrations } from './compare-migrations.ts';
import { MigrationError } from './migration-error.ts';

/**
 * Creates the check that a starting process makes, because its code fails on an older schema. The check
 * rejects with a `MigrationError`, a sentence for the operator, while migrations are missing, and with
 * the database's own error while the database does not respond. After it has succeeded once, it costs
 * nothing: migrations are never removed.
 */
export function createSchemaCheck(
  database: Pick<Database, 'pool'>,
  directory?: string,
): () => Promise<void> {
  let isUpToDate = false;
  return async () => {
    if (isUpToDate) return;
    const { pending } = await compareMigrations(database, directory);
    if (pending.length > 0) {
      throw new MigrationError(
        `The database is older than this version: run \`npm run migrate\` first (${pending.join(', ')} not applied).`,
      );
    }
    isUpToDate = true;
  };
}
