// npm run retention: deletes old messages and events in small steps with pauses between them. It may run
// while the service runs, be interrupted, be repeated and run in parallel. `-- --dry-run` only counts.
import { createDatabase, withRetention } from '@switchboard/database';
import { getDirectDatabaseUrl } from '@switchboard/runtime';
import { readCommandConfig } from './config.ts';
import { recordRun } from './record-run.ts';
import { deleteOld } from './retention/delete-old.ts';
import { createPace } from './retention/pace.ts';
import { runCommand } from './run-command.ts';

const options = { 'dry-run': { type: 'boolean', default: false } } as const;

await runCommand({ name: 'retention', options }, async (values) => {
  const config = readCommandConfig('retention');
  const { MESSAGE_RETENTION_DAYS: messageDays = null } = config;
  const eventDays = config.EVENT_RETENTION_DAYS ?? messageDays;
  if (eventDays === null) {
    console.log(
      'All live messages are kept: neither MESSAGE_RETENTION_DAYS nor EVENT_RETENTION_DAYS is set.',
    );
  }
  const database = createDatabase({
    // The lock of a run belongs to its session, and PgBouncer would share the session.
    url: getDirectDatabaseUrl(config),
    poolSize: 1,
    applicationName: 'switchboard-retention',
    onError: (error) => console.error(error.message),
  });
  const stop = new AbortController();
  // Not `once`: npm forwards a second SIGINT from the terminal, which would end the process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  try {
    const isDryRun = values['dry-run'];
    const folder = isDryRun ? undefined : config.METRICS_TEXTFILE_DIR;
    const done = await recordRun({ name: 'retention', folder }, () =>
      withRetention(database, async (store) => {
        const { signal } = stop;
        const report = (line: string) => console.log(line);
        const how = { isDryRun, pace: createPace(signal), signal, report };
        if (eventDays !== null) {
          await deleteOld(store, { ...how, mode: 'live', messageDays, eventDays });
        }
        const testDays = config.TEST_RETENTION_DAYS;
        await deleteOld(store, {
          ...how,
          mode: 'test',
          messageDays: testDays,
          eventDays: testDays,
        });
        return true;
      }),
    );
    if (done === null) console.log('Another run is in progress on this database. This run exits.');
    else if (stop.signal.aborted) console.log('Stopped early. The next run continues.');
  } finally {
    await database.close();
  }
});
