import { type ApiKey, OK, refuse, routes } from '@switchboard/contracts';
import { type BusNotification, type Clock, createUuidV7 } from '@switchboard/core';
import { createApiKey, hashToken } from '@switchboard/credentials';
import type { ApiKeyStore, StoredApiKey } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';

export interface ApiKeyRouteDependencies {
  apiKeys: Pick<ApiKeyStore, 'create' | 'list' | 'revoke'>;
  publishLater(notification: BusNotification): void;
  clock: Clock;
}

export function registerApiKeyRoutes(
  registerRoute: RegisterRoute,
  { apiKeys, publishLater, clock }: ApiKeyRouteDependencies,
): void {
  registerRoute(routes.listApiKeys, ({ workspaceId, query }) =>
    respondWithPage(query, (page) => apiKeys.list(workspaceId, page), toApiKey),
  );

  registerRoute(routes.createApiKey, async ({ workspaceId, actor, body: { name } }) => {
    const { key, prefix, last4 } = createApiKey();
    const createdAt = new Date(clock.now());
    const id = createUuidV7(createdAt.getTime());
    const outcome = await apiKeys.create(
      { id, workspaceId, name, keyHash: hashToken(key), prefix, last4, createdAt },
      actor,
    );
    if (outcome === 'quota_exceeded') throw refuse(routes.createApiKey, 'quota_exceeded');
    return { id, name, key, prefix, last4, created_at: createdAt.toISOString() };
  });

  registerRoute(routes.revokeApiKey, async ({ workspaceId, actor, params: { keyId } }) => {
    const outcome = await apiKeys.revoke(workspaceId, keyId, new Date(clock.now()), actor);
    if (outcome === 'missing') throw refuse(routes.revokeApiKey, 'not_found');
    // Requests check the key themselves; open WebSockets must be closed.
    publishLater({ kind: 'api_key_revoked', apiKeyId: keyId });
    return OK;
  });
}

function toApiKey(key: StoredApiKey): ApiKey {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last4: key.last4,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}
