import {
  type Database,
  createFactorSecretStore,
  createProviderStore,
  createWebhookSecretStore,
} from '@switchboard/database';
import type { SecretBox } from '@switchboard/runtime';
import { type Rotation, rotateSecrets } from './rotate-secrets.ts';
import { credentialRows, factorRows, webhookRows } from './sealed-rows.ts';

/** Encrypts every secret that is sealed with an older key with the first key. */
export async function rotateAllSecrets(
  database: Database,
  options: { secretBox: SecretBox; isDryRun: boolean },
): Promise<Rotation> {
  const all = [
    await rotateSecrets(credentialRows(createProviderStore(database)), options),
    await rotateSecrets(webhookRows(createWebhookSecretStore(database)), options),
    await rotateSecrets(factorRows(createFactorSecretStore(database)), options),
  ];
  return {
    total: all.reduce((sum, { total }) => sum + total, 0),
    rotated: all.reduce((sum, { rotated }) => sum + rotated, 0),
    unreadable: all.flatMap(({ unreadable }) => unreadable),
  };
}
