import {
  type ApiKey,
  type CreatedApiKey,
  createApiKeyRequest,
  parseBody,
} from '@switchboard/contracts';
import {
  AppError,
  type BusNotification,
  type Clock,
  QUOTAS,
  createUuidV7,
  isUuid,
  quotaExceeded,
} from '@switchboard/core';
import { createApiKey, hashToken } from '@switchboard/credentials';
import type { ApiKeyStore, StoredApiKey } from '@switchboard/database';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { userOf } from '../http/actor.ts';
import type { Credentials } from '../http/credentials.ts';
import { requireOwner } from '../http/require-owner.ts';
import { answerPage } from '../wire/answer-page.ts';

export interface ApiKeyRouteDependencies {
  credentials: Credentials;
  requireMember: onRequestAsyncHookHandler;
  apiKeys: Pick<ApiKeyStore, 'create' | 'list' | 'revoke'>;
  publishLater(notification: BusNotification): void;
  clock: Clock;
}

export function registerApiKeyRoutes(
  app: FastifyInstance,
  { credentials, requireMember, apiKeys, publishLater, clock }: ApiKeyRouteDependencies,
): void {
  const prefix = '/api/ui/workspaces/:workspaceId/api-keys';
  const member = [credentials.requireSession, requireMember];
  const owner = [...member, requireOwner];

  app.get(prefix, { onRequest: member }, (request) =>
    answerPage(request, (page) => apiKeys.list(request.membership.workspaceId, page), toApiKey),
  );

  app.post(prefix, { onRequest: owner }, async (request, reply) => {
    const { name } = parseBody(createApiKeyRequest, request.body);
    const { workspaceId } = request.membership;
    const { key, prefix: start, last4 } = createApiKey();
    const createdAt = new Date(clock.now());
    const id = createUuidV7(createdAt.getTime());
    const outcome = await apiKeys.create(
      { id, workspaceId, name, keyHash: hashToken(key), prefix: start, last4, createdAt },
      userOf(request),
    );
    if (outcome === 'quota_exceeded') {
      throw quotaExceeded(QUOTAS.apiKeysPerWorkspace, 'API keys of the workspace');
    }
    const created_at = createdAt.toISOString();
    const answer: CreatedApiKey = { id, name, key, prefix: start, last4, created_at };
    return reply.code(201).send(answer);
  });

  app.delete<{ Params: { keyId: string } }>(
    `${prefix}/:keyId`,
    { onRequest: owner },
    async (request) => {
      const { keyId } = request.params;
      const { workspaceId } = request.membership;
      const revoked =
        isUuid(keyId) &&
        (await apiKeys.revoke(workspaceId, keyId, new Date(clock.now()), userOf(request))) ===
          'revoked';
      if (!revoked) throw new AppError('not_found', 'No such API key');
      // Each request asks for the key; what is open already must be told.
      publishLater({ kind: 'api_key_revoked', apiKeyId: keyId.toLowerCase() });
      return { ok: true };
    },
  );
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
