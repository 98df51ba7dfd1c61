// npm run migrate: migrates the tables of the service and of the queue. Both are always
// migrated, so that a service that uses Redis now can run without it later.
import { migrate, MigrationError } from '@switchboard/database';
import { migrateQueue } from '@switchboard/queue';
import { getDirectDatabaseUrl } from '@switchboard/runtime';
import { readCommandConfig } from './config.ts';
import { runCommand } from './run-command.ts';

await runCommand({ name: 'migrate' }, async () => {
  const config = readCommandConfig('migrate');
  try {
    const applied = await migrate({
      databaseUrl: getDirectDatabaseUrl(config),
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
