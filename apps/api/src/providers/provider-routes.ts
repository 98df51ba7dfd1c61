import { type Provider, parseBody, putProviderRequest } from '@switchboard/contracts';
import {
  AppError,
  type Clock,
  type ProviderAccount,
  type ProviderAdapter,
} from '@switchboard/core';
import type { ProviderStore, StoredProvider } from '@switchboard/database';
import type { ProviderRegistry } from '@switchboard/providers';
import type { FastifyBaseLogger, FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { userOf } from '../http/actor.ts';
import type { Credentials } from '../http/credentials.ts';
import { readPreference } from '../http/read-preference.ts';
import { requireOwner } from '../http/require-owner.ts';
import type { OpenProvider } from '../open-provider.ts';
import type { VerifyCredentials } from '../verify-credentials.ts';
import type { SealSecret } from './seal-secret.ts';

export interface ProviderRouteDependencies {
  credentials: Credentials;
  requireMember: onRequestAsyncHookHandler;
  providers: Pick<ProviderStore, 'find' | 'put' | 'remove'>;
  registry: Pick<ProviderRegistry, 'get'>;
  openProvider: OpenProvider;
  verifyCredentials: VerifyCredentials;
  /** Numbers that were added before there was anybody to tell. */
  wireNumbersLater(workspaceId: string, log: FastifyBaseLogger): void;
  sealSecret: SealSecret;
  clock: Clock;
}

export function registerProviderRoutes(
  app: FastifyInstance,
  dependencies: ProviderRouteDependencies,
): void {
  const { credentials, requireMember, providers, openProvider, wireNumbersLater } = dependencies;
  const { registry, verifyCredentials, sealSecret, clock } = dependencies;
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
    const adapter = registry.get(body.type);
    if (adapter === null) throw new Error(`there is no adapter for ${body.type}`);
    const { account, secretLast4 } = adapter.readCredentials(body);
    if (readPreference(request.headers['prefer'], 'handling') === 'strict') {
      await assertAccepted(adapter, account);
      reply.header('preference-applied', 'handling=strict');
    }
    const provider = await providers.put(
      {
        workspaceId,
        type: body.type,
        account: account.id,
        sealedSecret: await sealSecret(account.secret, workspaceId),
        secretLast4,
        senderPool: account.senderPool,
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
async function assertAccepted(adapter: ProviderAdapter, account: ProviderAccount): Promise<void> {
  const check = await adapter.verifyAccount(account);
  if (check.isRefused) {
    throw new AppError(
      'invalid_params',
      `\`auth_token\` was refused by the provider: ${check.detail}`,
    );
  }
}

function missing(): AppError {
  return new AppError('not_found', 'The workspace has no messaging provider configured');
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
    account_sid: provider.account,
    auth_token_last4: provider.secretLast4,
    messaging_service_sid: provider.senderPool,
    on_unknown: provider.onUnknown,
    ...readStatus(provider),
    created_at: provider.createdAt.toISOString(),
    updated_at: provider.updatedAt.toISOString(),
  };
}
