// npm run rotate-secrets: encrypts provider credentials, webhook secrets and the secrets of authenticator apps with the
// first key of SECRET_KEY. Refuses to run until every process encrypts with that key. It may be
// interrupted, be repeated and run while the service runs. `-- --dry-run` changes nothing and reports
// whether every credential can be decrypted.
import {
  createDatabase,
  createOptOutStore,
  createProcessStore,
  type Database,
} from '@switchboard/database';
import { type SecretBox, createSecretBox } from '@switchboard/runtime';
import { readCommandConfig } from './config.ts';
import { findUnreadyProcesses } from './rotate-secrets/find-unready-processes.ts';
import { rotateAllSecrets } from './rotate-secrets/rotate-all-secrets.ts';
import { runCommand } from './run-command.ts';

const options = { 'dry-run': { type: 'boolean', default: false } } as const;

await runCommand({ name: 'rotate-secrets', options }, async (values) => {
  const config = readCommandConfig('rotate-secrets');
  const isDryRun = values['dry-run'];
  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: 1,
    applicationName: 'switchboard-rotate-secrets',
    onError: (error) => console.error(error.message),
  });
  try {
    const secretBox = createSecretBox(config.SECRET_KEY);
    if (!isDryRun && !(await mayRotate(database, secretBox))) {
      process.exitCode = 1;
      return;
    }
    const { rotated, total, unreadable } = await rotateAllSecrets(database, {
      secretBox,
      isDryRun,
    });
    console.log(
      isDryRun
        ? `Credentials sealed with an older key: ${rotated} of ${total}.`
        : `Credentials sealed with the newest key: ${rotated} of ${total}; the others already were.`,
    );
    if (unreadable.length > 0) {
      const list = unreadable.map(({ owner, reason }) => `\n  ${owner}: ${reason}`);
      console.error(`These secrets cannot be decrypted:${list.join('')}`);
      process.exitCode = 1;
    } else if (!isDryRun && secretBox.keyIds.length > 1) {
      const needed = await createOptOutStore(database).listKeyVersions();
      if (needed.length > 0) {
        console.log(
          `Opt-outs of erased people need the keys of these versions; keep them: ${needed.join(', ')}.`,
        );
      }
      console.log(
        `Keep the older keys in SECRET_KEY until every backup made before ${new Date().toISOString()} is deleted.`,
      );
    }
  } finally {
    await database.close();
  }
});

async function mayRotate(database: Database, secretBox: SecretBox): Promise<boolean> {
  const newest = secretBox.keyIds[0] ?? '';
  const unready = await findUnreadyProcesses(createProcessStore(database), newest);
  if (unready.length === 0) return true;
  console.error(
    [
      "Nothing was changed. These processes do not run with this command's SECRET_KEY:",
      ...unready.map((line) => `  ${line}`),
      'Restart each with the same SECRET_KEY, then run the command again. A process that was killed',
      'leaves this list a minute after its last report.',
    ].join('\n'),
  );
  return false;
}
