import { createDatabase, type Database } from '@switchboard/database';
import { parsePostgresUrl } from '@switchboard/postgres';
import { describeConnectFailure } from './describe-connect-failure.ts';
import type { Finding } from './finding.ts';

const part = 'pooler';

/**
 * Checks that the settings name PgBouncer if, and only if, it is in front of the database. A pooler
 * reports its own process IDs to its clients, so an ID that differs from the server's reveals a pooler.
 */
export async function checkPooler(
  database: Database,
  urls: { databaseUrl: string; directUrl: string | undefined },
): Promise<Finding[]> {
  const isNamed = parsePostgresUrl(urls.databaseUrl).isThroughPgBouncer;
  const hasPooler = await isPooled(database);
  if (hasPooler && !isNamed) {
    const detail =
      'A pooler responds instead of PostgreSQL: add pgbouncer=true to DATABASE_URL, unless the pooler gives each client its own connection.';
    return [{ result: 'warning', part, detail }];
  }
  if (isNamed && !hasPooler) {
    const detail =
      'DATABASE_URL has pgbouncer=true, but PostgreSQL itself responds: remove the parameter, or set the host and port of PgBouncer.';
    return [{ result: 'warning', part, detail }];
  }
  const direct = urls.directUrl === undefined ? [] : [await checkDirect(urls.directUrl)];
  return hasPooler ? [await checkTimeout(database), ...direct] : direct;
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
        result: 'warning',
        part,
        detail:
          "PgBouncer responds, but a client cannot set a timeout through it: run ALTER ROLE … SET statement_timeout = '10s'.",
      }
    : { result: 'good', part, detail: `PgBouncer responds; statements end after ${timeout}.` };
}

async function checkDirect(url: string): Promise<Finding> {
  const direct = createDatabase({
    url,
    poolSize: 1,
    applicationName: 'switchboard-doctor',
    onError: () => undefined, // The statement fails with the same error.
  });
  try {
    return (await isPooled(direct))
      ? {
          result: 'problem',
          part: 'direct',
          detail: 'DIRECT_DATABASE_URL points to a pooler too: point it to PostgreSQL itself.',
        }
      : { result: 'good', part: 'direct', detail: 'PostgreSQL itself responds.' };
  } catch (error) {
    const detail = describeConnectFailure(error, { setting: 'DIRECT_DATABASE_URL' });
    return { result: 'problem', part: 'direct', detail };
  } finally {
    await direct.close();
  }
}
