import type { Database } from '@switchboard/database';
import { describeConnectFailure } from './describe-connect-failure.ts';
import { type Finding, describeFailure } from './finding.ts';

const part = 'database';
const OLDEST_VERSION = 14;

/** Checks that the database responds, is a primary, and has a supported version and encoding. */
export async function checkServer(database: Database): Promise<Finding[]> {
  const problem = (detail: string): Finding[] => [{ result: 'problem', part, detail }];
  try {
    await database.ping();
  } catch (error) {
    return problem(
      describeFailure(error).startsWith('unsupported startup parameter')
        ? 'DATABASE_URL points to PgBouncer: add pgbouncer=true to its query.'
        : describeConnectFailure(error, { setting: 'DATABASE_URL' }),
    );
  }
  const { rows } = await database.pool.query<{
    version: number;
    isReplica: boolean;
    encoding: string;
  }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version,
            pg_is_in_recovery() AS "isReplica", current_setting('server_encoding') AS encoding`,
  );
  const { version = 0, isReplica = false, encoding = '' } = rows[0] ?? {};
  if (isReplica) {
    return problem('DATABASE_URL names a read-only replica: set it to the primary.');
  }
  if (encoding !== 'UTF8') {
    return problem(
      `The database's encoding is ${encoding}: create the database again with --encoding=UTF8 (docs/deploy.md, step 1).`,
    );
  }
  if (version < OLDEST_VERSION) {
    return problem(`PostgreSQL ${version} is too old: upgrade it to ${OLDEST_VERSION} or newer.`);
  }
  return [{ result: 'good', part, detail: `PostgreSQL ${version} responds.` }];
}
