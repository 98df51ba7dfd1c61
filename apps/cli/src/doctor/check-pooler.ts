import { createDatabase, type Database, isThroughPgBouncer } from '@switchboard/database';
import { type Finding, describeFailure } from './finding.ts';

const part = 'pooler';

/**
 * Whether the settings say what stands between here and the database. A pooler gives its clients
 * process numbers of its own, so the server's tells whether there is one.
 */
export async function checkPooler(
  database: Database,
  urls: { databaseUrl: string; directUrl: string | undefined },
): Promise<Finding[]> {
  const isNamed = isThroughPgBouncer(urls.databaseUrl);
  const isThere = await isPooled(database);
  if (isThere && !isNamed) {
    const text =
      'A pooler answers for PostgreSQL: add pgbouncer=true to DATABASE_URL, unless it gives each client a connection of its own.';
    return [{ verdict: 'doubtful', part, text }];
  }
  if (isNamed && !isThere) {
    const text =
      'DATABASE_URL says pgbouncer=true, but PostgreSQL itself answers: leave that out, or name PgBouncer.';
    return [{ verdict: 'doubtful', part, text }];
  }
  const direct = urls.directUrl === undefined ? [] : [await checkDirect(urls.directUrl)];
  return isThere ? [await checkTimeout(database), ...direct] : direct;
}

async function isPooled({ pool }: Database): Promise<boolean> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return Reflect.get(client, 'processID') !== rows[0]?.pid;
  } finally {
    client.release();
  }
}

async function checkTimeout({ pool }: Database): Promise<Finding> {
  const { rows } = await pool.query<{ statement_timeout: string }>('SHOW statement_timeout');
  const timeout = rows[0]?.statement_timeout ?? '0';
  return timeout === '0'
    ? {
        verdict: 'doubtful',
        part,
        text: "PgBouncer answers, and lets no program bound its statements: ALTER ROLE … SET statement_timeout = '10s'.",
      }
    : { verdict: 'good', part, text: `PgBouncer answers; statements end after ${timeout}.` };
}

async function checkDirect(url: string): Promise<Finding> {
  const direct = createDatabase({
    url,
    poolSize: 1,
    applicationName: 'switchboard-doctor',
    onError: () => undefined, // the query tells
  });
  try {
    return (await isPooled(direct))
      ? {
          verdict: 'bad',
          part: 'direct',
          text: 'DIRECT_DATABASE_URL leads to a pooler too: name PostgreSQL itself.',
        }
      : { verdict: 'good', part: 'direct', text: 'PostgreSQL itself answers.' };
  } catch (error) {
    const text = `PostgreSQL does not answer (${describeFailure(error)}): check DIRECT_DATABASE_URL.`;
    return { verdict: 'bad', part: 'direct', text };
  } finally {
    await direct.close();
  }
}
