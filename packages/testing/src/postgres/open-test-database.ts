import { type Database, type DatabaseOptions, createDatabase } from '@switchboard/database';

/** A busy machine takes seconds to start a connection, and to fill a table. */
const BUSY_MACHINE_MS = 60_000;

/**
 * Opens a database for the stores. Errors of idle connections are ignored, because tests stop servers and
 * drop databases.
 */
export function openTestDatabase(
  url: string,
  options: Partial<Pick<DatabaseOptions, 'poolSize' | 'connectTimeoutMs'>> = {},
): Database {
  return createDatabase({
    url,
    poolSize: 8,
    applicationName: 'test',
    connectTimeoutMs: BUSY_MACHINE_MS,
    statementTimeoutMs: BUSY_MACHINE_MS,
    onError: () => undefined,
    ...options,
  });
}
