import pg from 'pg';
import type { PostgresHost, SessionAttributes } from './parse-postgres-url.ts';

export interface ProbedHost extends PostgresHost {
  /** Each promotion starts a timeline with a higher number. 0 for a standby. */
  timeline: number;
}

/** The role that each `session` requires, for error messages. */
export const ROLE_NAMES: Record<SessionAttributes, string> = {
  any: 'available',
  'read-write': 'the primary',
  primary: 'the primary',
  standby: 'a standby',
};

/**
 * Connects to one host and checks whether it has the role that `session` requires. Rejects within
 * `timeoutMs`, with a message that names the host.
 */
export async function probeHost(
  connectionString: string,
  { host, port }: PostgresHost,
  session: SessionAttributes,
  timeoutMs: number,
): Promise<ProbedHost> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  Object.assign(client, { host, port });
  // The awaited call rejects with the same error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return { host, port, timeline: await readTimeline(client, session) };
  } catch (cause) {
    throw new Error(`${host}:${port}: ${describe(cause)}`, { cause });
  } finally {
    // The server is notified that the client ends, but a server that hangs does not delay the result.
    client.end().catch(() => undefined);
    setImmediate(() => client.connection.stream.destroy());
  }
}

/**
 * Returns the timeline of the server.
 *
 * @throws Error unless the server has the role that `session` requires
 */
export async function readTimeline(client: pg.Client, session: SessionAttributes): Promise<number> {
  const { rows } = await client.query<{
    isStandby: boolean;
    isReadOnly: boolean;
    timeline: number;
  }>(
    `SELECT pg_is_in_recovery() AS "isStandby",
            current_setting('transaction_read_only')::boolean AS "isReadOnly",
            CASE WHEN pg_is_in_recovery() THEN 0
                 ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int
            END AS timeline`,
  );
  const { isStandby = false, isReadOnly = false, timeline = 0 } = rows[0] ?? {};
  if (session === 'standby' && !isStandby) throw new Error('the server is not a standby');
  if (session === 'read-write' || session === 'primary') {
    if (isStandby) throw new Error('the server is a standby');
    if (session === 'read-write' && isReadOnly) throw new Error('the server is read-only');
  }
  return timeline;
}

/**
 * Describes an error. A refused connection to a name with several addresses has a code but no message.
 */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || String(Reflect.get(error, 'code'));
}
