import { countConnections } from '@switchboard/core';
import type { Database, SeenProcess } from '@switchboard/database';
import { parsePostgresUrl } from '@switchboard/postgres';
import type { Finding } from './finding.ts';

const part = 'connections';
/** Connections of `migrate`, `doctor` and `retention`. */
const COMMANDS = 3;
/** Connections of backups, exporters and `psql` (docs/scaling.md). */
const OTHERS = 20;
const NEARLY_FULL = 0.9;

interface Limits {
  server: number;
  role: number | null;
  database: number | null;
  inUse: number;
}

/**
 * Checks that the server, the role and the database allow as many connections as the processes open.
 * Counts the running processes, at least one of each kind, and one more of each during an update
 * (docs/scaling.md).
 */
export async function checkConnections(
  { pool }: Pick<Database, 'pool'>,
  settings: {
    databaseUrl: string;
    hasRedis: boolean;
    running: readonly Pick<SeenProcess, 'role'>[];
  },
): Promise<Finding[]> {
  const { rows } = await pool.query<Limits>(
    `SELECT current_setting('max_connections')::int
              - current_setting('superuser_reserved_connections')::int
              - coalesce(current_setting('reserved_connections', true)::int, 0) AS server,
            (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = session_user) AS role,
            (SELECT nullif(datconnlimit, -1) FROM pg_database
              WHERE datname = current_database()) AS database,
            (SELECT sum(numbackends)::int FROM pg_stat_database) AS "inUse"`,
  );
  const { server = 0, role = null, database = null, inUse = 0 } = rows[0] ?? {};
  const limits = [
    { what: 'the server allows', limit: server },
    ...(role === null ? [] : [{ what: 'the role allows', limit: role }]),
    ...(database === null ? [] : [{ what: 'the database allows', limit: database }]),
  ];
  const smallest = limits.reduce((one, other) => (other.limit < one.limit ? other : one));
  const { isThroughPgBouncer } = parsePostgresUrl(settings.databaseUrl);
  const connections = countConnections({ hasRedis: settings.hasRedis, isThroughPgBouncer });
  const count = (wanted: string) =>
    Math.max(1, settings.running.filter((each) => each.role === wanted).length);
  const [apis, workers] = [count('api'), count('worker')];
  const opened = connections.api * apis + connections.worker * workers;
  const needed = opened + COMMANDS;
  const neededForUpdate = opened + connections.api + connections.worker + OTHERS;
  const found = `${smallest.what} ${smallest.limit}`;
  const besides = isThroughPgBouncer ? " in addition to PgBouncer's pool" : '';
  const each = `up to ${connections.api} for each API and ${connections.worker} for each worker${besides}`;

  if (smallest.limit < needed) {
    const detail = `Too few connections: ${found}, but APIs (${apis}) and workers (${workers}) need ${needed}, ${each}. Raise the limit, or connect through PgBouncer.`;
    return [{ result: 'problem', part, detail }];
  }
  if (smallest.limit < neededForUpdate) {
    const detail = `Too few connections for an update: ${found}, but an update of APIs (${apis}) and workers (${workers}) needs ${neededForUpdate}, ${each}. Raise the limit, or connect through PgBouncer.`;
    return [{ result: 'warning', part, detail }];
  }
  if (inUse > NEARLY_FULL * server) {
    const detail = `${inUse} of ${server} are in use: raise max_connections, or connect through PgBouncer.`;
    return [{ result: 'warning', part, detail }];
  }
  const detail = `${found}, ${inUse} are in use, and an update needs ${neededForUpdate}, ${each}.`;
  return [{ result: 'good', part, detail: detail.replace(/^./, (letter) => letter.toUpperCase()) }];
}
