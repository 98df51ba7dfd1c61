import { type Database, createFactorSecretStore } from '@switchboard/database';
import type { SecretBox } from '@switchboard/runtime';
import { rotateSecrets } from '../rotate-secrets/rotate-secrets.ts';
import { factorRows } from '../rotate-secrets/sealed-rows.ts';
import type { Finding } from './finding.ts';

/** Checks that SECRET_KEY opens the secrets of authenticator apps: without them, users sign in only with recovery codes. */
export async function checkSecondFactors(
  database: Pick<Database, 'pool'>,
  secretBox: SecretBox,
): Promise<Finding[]> {
  const secrets = createFactorSecretStore(database);
  const { total, unreadable } = await rotateSecrets(factorRows(secrets), {
    secretBox,
    isDryRun: true,
  });
  const part = 'second factors';
  const [first] = unreadable;
  if (first !== undefined) {
    const detail = `SECRET_KEY does not decrypt ${unreadable.length} of ${total} second factors (${first.owner}: ${first.reason}): add the key they were sealed with. Until then, these users sign in only with recovery codes.`;
    return [{ result: 'problem', part, detail }];
  }
  const detail =
    total === 0 ? 'No user has a second factor yet.' : `SECRET_KEY decrypts all ${total}.`;
  return [{ result: 'good', part, detail }];
}
