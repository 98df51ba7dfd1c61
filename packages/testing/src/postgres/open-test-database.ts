import { type Database, type DatabaseOptions, createDatabase } from '@switchboard/database';
import { EVENTUALLY } from '../eventually.ts';

/**
 * Opens a database for the stores. Errors of idle connections are ignored, because tests stop servers and
 * drop databases.
 */
export function openTestDatabase(
  url: string,
  options: Partial<
    Pick<DatabaseOptions, 'poolSize' | 'connectTimeoutMs' | 'onError' | 'hashErased'>
  > = {},
): Database {
  return createDatabase({
    url,
    poolSize: 8,
    applicationName: 'test',
    // A busy machine takes seconds to start a connection, and to fill a table.
    connectTimeoutMs: EVENTUALLY.timeout,
    statementTimeoutMs: EVENTUALLY.timeout,
    onError: () => undefined,
    ...options,
  });
}
