import { createDatabase } from '@switchboard/database';
import { createSecretBox } from '@switchboard/runtime';
import { CommandError } from '../command-error.ts';
import { rotateAllSecrets } from '../rotate-secrets/rotate-all-secrets.ts';

/** @throws CommandError unless SECRET_KEY decrypts every secret of the database */
export async function checkCredentials(databaseUrl: string, secretKey: string): Promise<void> {
  const database = createDatabase({
    url: databaseUrl,
    poolSize: 1,
    applicationName: 'switchboard-restore',
    onError: (error) => console.error(error.message),
  });
  try {
    const { unreadable, total } = await rotateAllSecrets(database, {
      secretBox: createSecretBox(secretKey),
      isDryRun: true,
    });
    const [first] = unreadable;
    if (first === undefined) return;
    throw new CommandError(
      `SECRET_KEY does not decrypt ${unreadable.length} of ${total} provider credentials, webhook secrets and second factors (${first.owner}: ${first.reason}). Add the keys that were in use at the time of the backup after the newest key: docs/secrets.md.`,
    );
  } finally {
    await database.close();
  }
}
