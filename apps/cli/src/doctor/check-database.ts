import { type Database, compareMigrations, MigrationError } from '@switchboard/database';
import { type Finding, describeFailure } from './finding.ts';

const OLDEST_VERSION = 14;
/** Everything that is stored follows the database's clock; logs and traces follow each machine's. */
const MOST_DIFFERENCE_MS = 2_000;

/** Nothing that follows makes sense on a database that does not answer: then it is the only finding. */
export async function checkDatabase(database: Database): Promise<Finding[]> {
  try {
    await database.ping();
  } catch (error) {
    const failure = describeFailure(error);
    const text = failure.startsWith('unsupported startup parameter')
      ? 'DATABASE_URL leads to PgBouncer: add pgbouncer=true to its query.'
      : `PostgreSQL does not answer (${failure}): check DATABASE_URL, and that the server runs and lets this machine in.`;
    return [{ verdict: 'bad', part: 'database', text }];
  }
  return [await checkServer(database), await checkClock(database), await checkSchema(database)];
}

async function checkServer({ pool }: Database): Promise<Finding> {
  const { rows } = await pool.query<{ version: number; replica: boolean; encoding: string }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version,
            pg_is_in_recovery() AS replica, current_setting('server_encoding') AS encoding`,
  );
  const { version = 0, replica = false, encoding = '' } = rows[0] ?? {};
  if (replica) {
    const text = 'DATABASE_URL names a read-only replica: point it at the primary.';
    return { verdict: 'bad', part: 'database', text };
  }
  if (encoding !== 'UTF8') {
    const text = `The database's encoding is ${encoding}: make it anew with --encoding=UTF8 (docs/deploy.md, step 1).`;
    return { verdict: 'bad', part: 'database', text };
  }
  return version < OLDEST_VERSION
    ? {
        verdict: 'bad',
        part: 'database',
        text: `PostgreSQL ${version} is too old: upgrade it to ${OLDEST_VERSION} or newer.`,
      }
    : { verdict: 'good', part: 'database', text: `PostgreSQL ${version} answers.` };
}

async function checkClock({ pool }: Database): Promise<Finding> {
  const before = Date.now();
  const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const here = (before + Date.now()) / 2;
  const differenceMs = Math.round(Math.abs((rows[0]?.now.getTime() ?? 0) - here));
  return differenceMs > MOST_DIFFERENCE_MS
    ? {
        verdict: 'bad',
        part: 'clock',
        text: `This machine's clock and the database's differ by ${differenceMs / 1000} s: let both follow NTP.`,
      }
    : { verdict: 'good', part: 'clock', text: `${differenceMs} ms from the database's.` };
}

async function checkSchema(database: Database): Promise<Finding> {
  const part = 'schema';
  try {
    const { pending, newer } = await compareMigrations(database);
    if (pending.length > 0) {
      const text = `Not up to date (${pending.join(', ')}): run \`npm run migrate\`.`;
      return { verdict: 'bad', part, text };
    }
    if (newer.length > 0) {
      const text = `Newer than this version, which can work with it (${newer.join(', ')}): finish the upgrade.`;
      return { verdict: 'doubtful', part, text };
    }
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    return { verdict: 'bad', part, text: error.message };
  }
  const { rows } = await database.pool.query<{ present: boolean }>(
    `SELECT to_regclass('bullmq.job') IS NOT NULL AS present`,
  );
  return rows[0]?.present === true
    ? { verdict: 'good', part, text: 'Up to date.' }
    : { verdict: 'bad', part, text: "The queue's tables are missing: run `npm run migrate`." };
}
