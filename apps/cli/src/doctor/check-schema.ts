import { type Database, compareMigrations, MigrationError } from '@switchboard/database';
import { type Finding, describeFailure } from './finding.ts';

const part = 'schema';

/** Checks that the tables of the service and of the queue are those of this version. */
export async function checkSchema(database: Database): Promise<Finding[]> {
  try {
    const { pending, newer } = await compareMigrations(database);
    if (pending.length > 0) {
      const detail = `Not up to date (${pending.join(', ')}): run \`npm run migrate\`.`;
      return [{ result: 'problem', part, detail }];
    }
    if (newer.length > 0) {
      const detail = `Newer than this version, which still works with it (${newer.join(', ')}): finish the upgrade.`;
      return [{ result: 'warning', part, detail }];
    }
  } catch (error) {
    const detail =
      error instanceof MigrationError
        ? error.message
        : `The migrations cannot be read (${describeFailure(error)}): see the line about the role.`;
    return [{ result: 'problem', part, detail }];
  }
  const { rows } = await database.pool.query<{ isPresent: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = $1 AND c.relname = 'job') AS "isPresent"`,
    [database.schemas.queue],
  );
  return rows[0]?.isPresent === true
    ? [{ result: 'good', part, detail: 'Up to date.' }]
    : [
        {
          result: 'problem',
          part,
          detail: "The queue's tables are missing: run `npm run migrate`.",
        },
      ];
}
