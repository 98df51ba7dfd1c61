// npm run migrate: brings the database up to date, ours and the queue's. Both always, so that a
// service that runs on Redis today finds its database ready the day it runs without.
import { migrate, MigrationError } from '@switchboard/database';
import { migrateQueue } from '@switchboard/queue';
import { readMigrateConfig } from './config.ts';
import { runCommand } from './run-command.ts';

await runCommand({ name: 'migrate' }, async () => {
  const { DATABASE_URL, DIRECT_DATABASE_URL } = readMigrateConfig();
  try {
    const applied = await migrate({
      databaseUrl: DIRECT_DATABASE_URL ?? DATABASE_URL,
      after: [migrateQueue],
      log: { info: (fields, message) => console.log(`${message} ${JSON.stringify(fields)}`) },
    });
    console.log(
      applied.length === 0
        ? 'The database is up to date.'
        : `The database is up to date; migrations applied: ${applied.length}.`,
    );
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
});
