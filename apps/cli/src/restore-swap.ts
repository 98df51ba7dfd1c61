// npm run restore-swap: replaces the live database with the one that `npm run restore-prepare` restored.
// The old database is kept under another name. The service must be stopped.
import { parsePostgresUrl } from './backup/postgres-url.ts';
import { CommandError } from './command-error.ts';
import { readRestoreConfig } from './config.ts';
import { checkCredentials } from './restore/check-credentials.ts';
import { prepareRestored } from './restore/prepare-restored.ts';
import { exists, restoredName } from './restore/restore-beside.ts';
import { swapDatabases } from './restore/swap-databases.ts';
import { runCommand } from './run-command.ts';

await runCommand({ name: 'restore-swap' }, async () => {
  const { url, environment: env, SECRET_KEY: secretKey } = readRestoreConfig();
  const { database, withDatabase } = parsePostgresUrl(url);
  const name = restoredName(database);
  if (!(await exists(url, name, env))) {
    throw new CommandError(
      `There is no database ${name}. Restore it first: npm run restore-prepare -- <dump>`,
    );
  }
  await checkCredentials(withDatabase(name), secretKey);
  const kept = await swapDatabases({
    url,
    restored: name,
    env,
    async prepare() {
      const { messages, sessions } = await prepareRestored(withDatabase(name));
      console.log(`Messages to look up at the provider before they are sent: ${messages}.`);
      console.log(`Sessions ended: ${sessions}. Users sign in again.`);
    },
  });
  console.log(`${database} is now the restored database. You can now start the service.`);
  if (kept !== null) {
    console.log(
      `The previous live database is kept as ${kept}. When you no longer need it, drop it:`,
    );
    console.log(`  DROP DATABASE "${kept}"`);
  }
});
