import { type Database, checkServerVersion } from '@switchboard/database';
import { describeConnectFailure } from './describe-connect-failure.ts';
import { type Finding, describeFailure } from './finding.ts';

const part = 'database';

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
    isReplica: boolean;
    encoding: string;
  }>(`SELECT pg_is_in_recovery() AS "isReplica", current_setting('server_encoding') AS encoding`);
  const { isReplica = false, encoding = '' } = rows[0] ?? {};
  if (isReplica) {
    return problem('DATABASE_URL names a read-only replica: set it to the primary.');
  }
  if (encoding !== 'UTF8') {
    return problem(
      `The database's encoding is ${encoding}: create the database again with --encoding=UTF8 (docs/deploy.md, step 1).`,
    );
  }
  const { version, problem: tooOld } = await checkServerVersion(database.pool);
  if (tooOld !== null) return problem(tooOld);
  return [{ result: 'good', part, detail: `PostgreSQL ${version} responds.` }];
}
