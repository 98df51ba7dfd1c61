import type { Client } from 'pg';

const OLDEST_VERSION = 15;

/** Returns the server's major version, and what the operator must do if it is too old; null if it is not. */
export async function checkServerVersion(
  client: Pick<Client, 'query'>,
): Promise<{ version: number; problem: string | null }> {
  const { rows } = await client.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version`,
  );
  const version = rows[0]?.version ?? 0;
  const problem = `PostgreSQL ${version} is too old: upgrade it to ${OLDEST_VERSION} or newer.`;
  return { version, problem: version < OLDEST_VERSION ? problem : null };
}
