// npm run restore-prepare -- <dump>: restores a dump alongside the live database, which stays in use.
// `npm run restore-swap` then replaces the live database; docs/backup.md describes the steps.
import { parsePostgresUrl } from './backup/postgres-url.ts';
import { readRestoreConfig } from './config.ts';
import { checkCredentials } from './restore/check-credentials.ts';
import { describeSize, measureDatabase } from './restore/measure-database.ts';
import { exists, restoreBeside, restoredName } from './restore/restore-beside.ts';
import { runCommand } from './run-command.ts';

await runCommand(
  { name: 'restore-prepare', positionals: ['dump'] },
  async (_options, [dump = '']) => {
    const { url, environment: env, SECRET_KEY: secretKey } = readRestoreConfig();
    const { database, withDatabase } = parsePostgresUrl(url);
    const name = restoredName(database);
    const restored = withDatabase(name);

    await restoreBeside({ url, name, dump, env });
    console.log(`Restored as ${name}: ${describeSize(await measureDatabase(restored, env))}.`);
    if (await exists(url, database, env)) {
      console.log(
        `The live database is ${database}: ${describeSize(await measureDatabase(url, env))}.`,
      );
    }
    await checkCredentials(restored, secretKey);
    console.log('Now stop every API, worker and timer, and run: npm run restore-swap');
  },
);
