import {
  type ApiKey,
  OK,
  parseExpiresAt,
  readAllowedIps,
  readOverlapMs,
  refuse,
  routes,
} from '@switchboard/contracts';
import {
  ALL_SCOPES,
  type BusNotification,
  type Clock,
  type Mode,
  createUuidV7,
  modeOf,
  workspaceInMode,
} from '@switchboard/core';
import { createApiKey, hashToken } from '@switchboard/credentials';
import type { ApiKeyStore, StoredApiKey } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import type { OpenTestWorkspace } from '../open-test-workspace.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';

export interface ApiKeyRouteDependencies {
  apiKeys: Pick<ApiKeyStore, 'create' | 'list' | 'findWorkspace' | 'revoke' | 'rotate'>;
  openTestWorkspace: OpenTestWorkspace;
  publishLater(notification: BusNotification): void;
  clock: Clock;
}

export function registerApiKeyRoutes(
  registerRoute: RegisterRoute,
  { apiKeys, openTestWorkspace, publishLater, clock }: ApiKeyRouteDependencies,
): void {
  registerRoute(routes.listApiKeys, ({ workspaceId, query }) =>
    respondWithPage(query, (page) => apiKeys.list(workspaceId, page), toApiKey),
  );

  registerRoute(routes.createApiKey, async ({ workspaceId: pathId, actor, body }) => {
    const createdAt = new Date(clock.now());
    const mode = body.mode ?? modeOf(pathId);
    const workspaceId = workspaceInMode(pathId, mode);
    if (mode === 'test') await openTestWorkspace(workspaceId, actor);
    const { key, ...secret } = createSecret(mode);
    const created = {
      id: createUuidV7(createdAt.getTime()),
      workspaceId,
      name: body.name,
      scopes: body.scopes ?? [ALL_SCOPES],
      allowedIps: readAllowedIps(body.allowed_ips),
      expiresAt: parseExpiresAt(body.expires_at, createdAt.getTime()),
      createdAt,
      ...secret,
    };
    const outcome = await apiKeys.create(created, actor);
    if (outcome === 'quota_exceeded') throw refuse(routes.createApiKey, 'quota_exceeded');
    return { ...toFields({ ...created, previousEndsAt: null }), key };
  });

  registerRoute(routes.rotateApiKey, async ({ actor, params: { keyId: id }, body, ...call }) => {
    const expiresAt = parseExpiresAt(body.expires_at, clock.now());
    const overlapMs = readOverlapMs(body);
    const workspaceId = await apiKeys.findWorkspace(call.workspaceId, id);
    if (workspaceId === null) throw refuse(routes.rotateApiKey, 'not_found');
    const { key, ...secret } = createSecret(modeOf(workspaceId));
    const rotated = await apiKeys.rotate(
      { workspaceId, id, overlapMs, expiresAt, ...secret },
      actor,
    );
    if (rotated === 'missing') throw refuse(routes.rotateApiKey, 'not_found');
    if (rotated === 'ended') throw refuse(routes.rotateApiKey, 'invalid_state');
    if (rotated === 'quota_exceeded') throw refuse(routes.rotateApiKey, 'quota_exceeded');
    // Without an overlap, every open WebSocket of the key has a secret that has ended.
    if (rotated.previousEndsAt === null) publishLater({ kind: 'api_key_revoked', apiKeyId: id });
    return { ...toFields({ id, workspaceId, ...secret, ...rotated }), key };
  });

  registerRoute(routes.revokeApiKey, async ({ actor, params: { keyId }, ...call }) => {
    const workspaceId = await apiKeys.findWorkspace(call.workspaceId, keyId);
    if (workspaceId === null) throw refuse(routes.revokeApiKey, 'not_found');
    const outcome = await apiKeys.revoke(workspaceId, keyId, new Date(clock.now()), actor);
    if (outcome === 'missing') throw refuse(routes.revokeApiKey, 'not_found');
    // Requests check the key themselves; open WebSockets must be closed.
    publishLater({ kind: 'api_key_revoked', apiKeyId: keyId });
    return OK;
  });
}

function createSecret(mode: Mode) {
  const { key, prefix, last4 } = createApiKey({ mode });
  return { key, keyHash: hashToken(key), prefix, last4 };
}

function toApiKey(key: StoredApiKey): ApiKey {
  return {
    ...toFields(key),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    last_used_ip: key.lastUsedIp,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

function toFields(key: Omit<StoredApiKey, 'lastUsedAt' | 'lastUsedIp' | 'revokedAt'>) {
  return {
    id: key.id,
    name: key.name,
    mode: modeOf(key.workspaceId),
    prefix: key.prefix,
    last4: key.last4,
    scopes: key.scopes,
    allowed_ips: key.allowedIps,
    expires_at: key.expiresAt?.toISOString() ?? null,
    previous_ends_at: key.previousEndsAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
  };
}
