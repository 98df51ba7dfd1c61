import { setTimeout as delay } from 'node:timers/promises';
import { type Database, MigrationError, createSchemaCheck } from '@switchboard/database';
import { StartRefusedError } from '@switchboard/runtime';
import type { StartLatch } from './start-latch.ts';

const CHECK_MS = 250;

/**
 * Waits without limit until the database answers. Resolves with false if the latch closes before.
 *
 * @throws StartRefusedError when the schema is older than this version
 */
export async function waitForSchema(
  database: Database,
  latch: Pick<StartLatch, 'isClosed'>,
): Promise<boolean> {
  const checkSchema = createSchemaCheck(database);
  while (!latch.isClosed) {
    try {
      await checkSchema();
      return true;
    } catch (error) {
      if (error instanceof MigrationError) throw new StartRefusedError(error.message);
    }
    await delay(CHECK_MS);
  }
  return false;
}
