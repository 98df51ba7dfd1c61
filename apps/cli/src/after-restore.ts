// npm run after-restore: once, after the database was restored to an earlier state and before any
// worker runs on it. What the backup holds as not sent yet may have been sent since; each such
// message is looked up at the provider first, and only sent if it is not there. Clients of the events
// get a resync: what they resume from was numbered before.
import {
  createDatabase,
  createDoubtReadyMessages,
  createStartEventEpoch,
} from '@switchboard/database';
import { readAfterRestoreConfig } from './config.ts';
import { runCommand } from './run-command.ts';

const AT_ONCE = 1_000;

await runCommand({ name: 'after-restore' }, async () => {
  const database = createDatabase({
    url: readAfterRestoreConfig().DATABASE_URL,
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
      console.error('Workers are connected to this database: stop them first.');
      process.exitCode = 1;
      return;
    }
    await createStartEventEpoch(database)();
    const doubtReadyMessages = createDoubtReadyMessages(database);
    let total = 0;
    let count: number;
    do {
      count = await doubtReadyMessages(AT_ONCE);
      total += count;
    } while (count === AT_ONCE);
    console.log(`Messages to be looked up before they are sent: ${total}. Workers may start.`);
  } finally {
    await database.close();
  }
});
