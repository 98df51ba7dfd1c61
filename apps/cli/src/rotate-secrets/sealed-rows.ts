import { SECRET_FIELD, WEBHOOK_SECRET_FIELD } from '@switchboard/core';
import type {
  FactorSecretStore,
  ProviderStore,
  SealedCredentials,
  SealedWebhookSecrets,
  WebhookSecretStore,
} from '@switchboard/database';
import { ofTotpSecret } from '@switchboard/runtime';
import type { SealedRows } from './rotate-secrets.ts';

/** Returns the credentials of provider accounts. */
export function credentialRows(
  store: Pick<ProviderStore, 'listSealed' | 'replaceSealed'>,
): SealedRows<
  SealedCredentials & { id: string },
  { workspaceId: string; from: string; to: string }
> {
  return {
    list: (after, limit) => store.listSealed(after?.id ?? null, limit),
    ownerOf: ({ workspaceId }) => ({ workspaceId, field: SECRET_FIELD }),
    sealAgain: ({ workspaceId, sealedSecret: from }, seal) => ({
      workspaceId,
      from,
      to: seal(from),
    }),
    replace: (replacements) => store.replaceSealed(replacements),
    describe: ({ workspaceId }, reason) => ({ owner: `workspace ${workspaceId}`, reason }),
  };
}

/** Returns the secrets of webhook endpoints: the current one, and the one before it while that is accepted too. */
export function webhookRows(
  store: WebhookSecretStore,
): SealedRows<SealedWebhookSecrets, { from: SealedWebhookSecrets; to: SealedWebhookSecrets }> {
  return {
    list: (after, limit) => store.listSealed(after, limit),
    ownerOf: ({ workspaceId }) => ({ workspaceId, field: WEBHOOK_SECRET_FIELD }),
    sealAgain: (from, seal) => ({
      from,
      to: {
        ...from,
        sealedSecret: seal(from.sealedSecret),
        previousSecret: from.previousSecret === null ? null : seal(from.previousSecret),
      },
    }),
    replace: (replacements) => store.replaceSealed(replacements),
    describe: ({ workspaceId, id }, reason) => ({
      owner: `workspace ${workspaceId}`,
      reason: `webhook endpoint ${id}: ${reason}`,
    }),
  };
}

/** Returns the secrets of authenticator apps. */
export function factorRows(
  store: FactorSecretStore,
): SealedRows<
  { userId: string; sealedSecret: string },
  { userId: string; from: string; to: string }
> {
  return {
    list: (after, limit) => store.listSealed(after?.userId ?? null, limit),
    ownerOf: ({ userId }) => ofTotpSecret(userId),
    sealAgain: ({ userId, sealedSecret: from }, seal) => ({ userId, from, to: seal(from) }),
    replace: (replacements) => store.replaceSealed(replacements),
    describe: ({ userId }, reason) => ({ owner: `second factor of user ${userId}`, reason }),
  };
}
