import {
  type Database,
  createProviderStore,
  createFactorSecretStore,
  createWebhookSecretStore,
} from '@switchboard/database';
import type { SecretBox } from '@switchboard/runtime';
import { rotateFactorSecrets } from './rotate-factor-secrets.ts';
import { type Rotation, rotateSecrets } from './rotate-secrets.ts';
import { rotateWebhookSecrets } from './rotate-webhook-secrets.ts';

/** Encrypts every secret that is sealed with an older key with the first key. */
export async function rotateAllSecrets(
  database: Database,
  options: { secretBox: SecretBox; isDryRun: boolean },
): Promise<Rotation> {
  const providers = await rotateSecrets({ providers: createProviderStore(database), ...options });
  const webhooks = await rotateWebhookSecrets({
    secrets: createWebhookSecretStore(database),
    ...options,
  });
  const factors = await rotateFactorSecrets({
    secrets: createFactorSecretStore(database),
    ...options,
  });
  const all = [providers, webhooks, factors];
  return {
    total: all.reduce((sum, { total }) => sum + total, 0),
    rotated: all.reduce((sum, { rotated }) => sum + rotated, 0),
    unreadable: all.flatMap(({ unreadable }) => unreadable),
  };
}
