import { type Database, createDatabase } from '@switchboard/database';

/**
 * Opens a database for the stores. Errors of idle connections are ignored, because tests stop servers and
 * drop databases.
 */
export function openTestDatabase(
  url: string,
  options: { poolSize?: number; connectTimeoutMs?: number } = {},
): Database {
  return createDatabase({
    url,
    poolSize: options.poolSize ?? 8,
    applicationName: 'test',
    connectTimeoutMs: options.connectTimeoutMs ?? 60_000, // A busy machine takes seconds to start a connection.
    onError: () => undefined,
  });
}
