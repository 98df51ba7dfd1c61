import {
  type Database,
  createProviderStore,
  createWebhookSecretStore,
} from '@switchboard/database';
import type { SecretBox } from '@switchboard/runtime';
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
  return {
    total: providers.total + webhooks.total,
    rotated: providers.rotated + webhooks.rotated,
    unreadable: [...providers.unreadable, ...webhooks.unreadable],
  };
}
