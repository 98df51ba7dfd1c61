import {
  createDatabase,
  createDoubtReadyMessages,
  createEndRestoredAccess,
  createStartEventEpoch,
} from '@switchboard/database';
import { CommandError } from '../command-error.ts';

const BATCH = 1_000;

/**
 * Prepares a database that was restored to an earlier state for the workers. A message that is unsent
 * in the restored database may have been sent since, so each of them is first looked up at the
 * provider. Clients of the event stream get a resync, because their cursors may be ahead of it. All sessions end, because
 * the restored database has those that were ended since.
 *
 * @returns the number of messages to look up, and of sessions that ended
 * @throws CommandError while workers are connected to the database
 */
export async function prepareRestored(
  databaseUrl: string,
): Promise<{ messages: number; sessions: number }> {
  const database = createDatabase({
    url: databaseUrl,
    poolSize: 1,
    applicationName: 'switchboard-after-restore',
    onError: (error) => console.error(error.message),
  });
  try {
    const { rows } = await database.pool.query<{ count: number }>(
      `SELECT count(*) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'switchboard-worker'`,
    );
    if (rows[0]?.count !== 0) {
      throw new CommandError('Workers are connected to this database: stop them first.');
    }
    await createStartEventEpoch(database)();
    const sessions = await createEndRestoredAccess(database)();
    const doubtReadyMessages = createDoubtReadyMessages(database);
    let total = 0;
    let count: number;
    do {
      count = await doubtReadyMessages(BATCH);
      total += count;
    } while (count === BATCH);
    return { messages: total, sessions };
  } finally {
    await database.close();
  }
}
