import {
  type Provider,
  type PutProviderRequest,
  parseBody,
  putProviderRequest,
} from '@switchboard/contracts';
import { AppError, type Clock } from '@switchboard/core';
import type { ProviderStore, StoredProvider } from '@switchboard/database';
import type { ProviderRegistry } from '@switchboard/providers';
import type { FastifyBaseLogger, FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { userOf } from '../http/actor.ts';
import type { Credentials } from '../http/credentials.ts';
import { readPreference } from '../http/read-preference.ts';
import { requireOwner } from '../http/require-owner.ts';
import type { OpenProvider } from '../open-provider.ts';
import type { VerifyCredentials } from '../verify-credentials.ts';
import type { SealToken } from './seal-token.ts';

export interface ProviderRouteDependencies {
  credentials: Credentials;
  requireMember: onRequestAsyncHookHandler;
  providers: Pick<ProviderStore, 'find' | 'put' | 'remove'>;
  registry: Pick<ProviderRegistry, 'get'>;
  openProvider: OpenProvider;
  verifyCredentials: VerifyCredentials;
  /** Numbers that were added before there was anybody to tell. */
  wireNumbersLater(workspaceId: string, log: FastifyBaseLogger): void;
  sealToken: SealToken;
  clock: Clock;
}

export function registerProviderRoutes(
  app: FastifyInstance,
  dependencies: ProviderRouteDependencies,
): void {
  const { credentials, requireMember, providers, openProvider, wireNumbersLater } = dependencies;
  const { registry, verifyCredentials, sealToken, clock } = dependencies;
  const prefix = '/api/ui/workspaces/:workspaceId/provider';
  const member = [credentials.requireSession, requireMember];
  const owner = [...member, requireOwner];

  app.get(prefix, { onRequest: member }, async (request) => {
    const provider = await providers.find(request.membership.workspaceId);
    if (provider === null) throw missing();
    return toProvider(provider);
  });

  app.put(prefix, { onRequest: owner }, async (request, reply) => {
    const body = parseBody(putProviderRequest, request.body);
    const { workspaceId } = request.membership;
    const token = body.auth_token;
    if (readPreference(request.headers['prefer'], 'handling') === 'strict') {
      await assertAccepted(registry, body);
      reply.header('preference-applied', 'handling=strict');
    }
    const provider = await providers.put(
      {
        workspaceId,
        type: body.type,
        accountSid: body.account_sid,
        authTokenEncrypted: await sealToken(token, workspaceId),
        authTokenLast4: lastCharacters(token),
        messagingServiceSid: body.messaging_service_sid ?? null,
        onUnknown: body.on_unknown ?? 'resend',
        at: new Date(clock.now()),
      },
      userOf(request),
    );
    wireNumbersLater(workspaceId, request.log);
    return toProvider(provider);
  });

  app.delete(prefix, { onRequest: owner }, async (request) => {
    const removed = await providers.remove(request.membership.workspaceId, userOf(request));
    if (!removed) throw missing();
    return { ok: true };
  });

  app.post(`${prefix}/verify`, { onRequest: member }, async (request) => {
    const { workspaceId } = request.membership;
    const opened = await openProvider(workspaceId);
    if (opened === null) {
      throw new AppError(
        'provider_not_configured',
        'The workspace has no messaging provider configured',
      );
    }
    const { ok, detail } = await verifyCredentials(opened);
    if (ok) wireNumbersLater(workspaceId, request.log);
    return { ok, detail };
  });
}

/**
 * Refuses credentials that the provider does not accept, before they replace those that work. A
 * provider that can't be reached refuses nothing.
 */
async function assertAccepted(
  registry: Pick<ProviderRegistry, 'get'>,
  body: PutProviderRequest,
): Promise<void> {
  const verdict = await registry.get(body.type)?.verifyAccount({
    accountSid: body.account_sid,
    authToken: body.auth_token,
    messagingServiceSid: body.messaging_service_sid ?? null,
  });
  if (verdict?.isRefused === true) {
    throw new AppError(
      'invalid_params',
      `\`auth_token\` was refused by the provider: ${verdict.detail}`,
    );
  }
}

function missing(): AppError {
  return new AppError('not_found', 'The workspace has no messaging provider configured');
}

/** Four of a token that has enough others left. */
function lastCharacters(token: string): string {
  return token.length >= 12 ? token.slice(-4) : '';
}

function readStatus(
  provider: StoredProvider,
): Pick<Provider, 'status' | 'status_since' | 'status_detail'> {
  const { refusedSince, refusedDetail, failingSince, failingDetail } = provider;
  if (refusedSince !== null) {
    return {
      status: 'credentials_refused',
      status_since: refusedSince.toISOString(),
      status_detail: refusedDetail,
    };
  }
  if (failingSince !== null) {
    return {
      status: 'failing',
      status_since: failingSince.toISOString(),
      status_detail: failingDetail,
    };
  }
  return { status: 'ok', status_since: null, status_detail: null };
}

function toProvider(provider: StoredProvider): Provider {
  return {
    type: provider.type,
    account_sid: provider.accountSid,
    auth_token_last4: provider.authTokenLast4,
    messaging_service_sid: provider.messagingServiceSid,
    on_unknown: provider.onUnknown,
    ...readStatus(provider),
    created_at: provider.createdAt.toISOString(),
    updated_at: provider.updatedAt.toISOString(),
  };
}
