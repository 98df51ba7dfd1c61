import { WEBHOOK_SECRET_FIELD } from '@switchboard/core';
import type { SealedWebhookSecrets, WebhookSecretStore } from '@switchboard/database';
import { type SecretBox, SecretBoxError } from '@switchboard/runtime';
import type { Rotation } from './rotate-secrets.ts';

const BATCH = 200;

/** Encrypts the secrets of webhook endpoints with the first key, as `rotateSecrets` does for providers. */
export async function rotateWebhookSecrets(dependencies: {
  secrets: WebhookSecretStore;
  secretBox: SecretBox;
  isDryRun: boolean;
}): Promise<Rotation> {
  const { secrets, secretBox, isDryRun } = dependencies;
  const rotation: Rotation = { total: 0, rotated: 0, unreadable: [] };
  let after: SealedWebhookSecrets | null = null;

  for (;;) {
    const sealed: SealedWebhookSecrets[] = await secrets.listSealed(after, BATCH);
    const last = sealed.at(-1);
    if (last === undefined) return rotation;

    const results = sealed.map((from) => sealAgain(secretBox, from));
    const replacements = results
      .filter((result) => 'to' in result)
      .filter(({ from }) => !isNewest(secretBox, from));
    const replaced =
      replacements.length === 0 || isDryRun
        ? replacements.length
        : await secrets.replaceSealed(replacements);
    rotation.rotated += replaced;
    // An endpoint has changed since it was read.
    if (replaced < replacements.length) continue;

    rotation.total += sealed.length;
    rotation.unreadable.push(...results.filter((result) => 'reason' in result));
    after = last;
  }
}

function isNewest(secretBox: SecretBox, { sealedSecret, previousSecret }: SealedWebhookSecrets) {
  return [sealedSecret, previousSecret].every(
    (sealed) => sealed === null || secretBox.isSealedByNewest(sealed),
  );
}

function sealAgain(
  secretBox: SecretBox,
  from: SealedWebhookSecrets,
): { from: SealedWebhookSecrets; to: SealedWebhookSecrets } | Rotation['unreadable'][number] {
  const { workspaceId, sealedSecret, previousSecret } = from;
  const owner = { workspaceId, field: WEBHOOK_SECRET_FIELD };
  const seal = (sealed: string) => secretBox.seal(secretBox.open(sealed, owner), owner);
  try {
    const to = {
      ...from,
      sealedSecret: seal(sealedSecret),
      previousSecret: previousSecret === null ? null : seal(previousSecret),
    };
    return { from, to };
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return {
      owner: `workspace ${workspaceId}`,
      reason: `webhook endpoint ${from.id}: ${error.message}`,
    };
  }
}
