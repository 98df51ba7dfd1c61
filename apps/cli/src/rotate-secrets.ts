// npm run rotate-secrets: seals every workspace's provider credentials with the newest key of
// SECRET_KEY, `2:<new>,1:<old>`, once every process runs with it. Safe to interrupt, to repeat and
// to run while the service does. When it ends well, nothing needs the older keys any more.
import { createDatabase, createProviderStore } from '@switchboard/database';
import { createSecretBox } from '@switchboard/runtime';
import { readRotateSecretsConfig } from './config.ts';
import { rotateSecrets } from './rotate-secrets/rotate-secrets.ts';
import { runCommand } from './run-command.ts';

await runCommand({ name: 'rotate-secrets' }, async () => {
  const config = readRotateSecretsConfig();
  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: 1,
    applicationName: 'switchboard-rotate-secrets',
    onError: (error) => console.error(error.message),
  });
  try {
    const { rotated, total, unreadable } = await rotateSecrets({
      providers: createProviderStore(database),
      secretBox: createSecretBox(config.SECRET_KEY),
    });
    console.log(`Credentials sealed anew with the newest key: ${rotated} of ${total}.`);
    if (unreadable.length > 0) {
      const list = unreadable.map(({ workspaceId, reason }) => `\n  ${workspaceId}: ${reason}`);
      console.error(`Left as they are, because they can't be decrypted:${list.join('')}`);
      process.exitCode = 1;
    }
  } finally {
    await database.close();
  }
});
