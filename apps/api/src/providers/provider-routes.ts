import { OK, type Provider, refuse, routes } from '@switchboard/contracts';
import type { Clock } from '@switchboard/core';
import type {
  ProviderAccountStore,
  ProviderProblem,
  ProviderProblemStore,
  ProviderStore,
  StoredProvider,
} from '@switchboard/database';
import type { ProviderRegistry } from '@switchboard/providers';
import type { FastifyBaseLogger } from 'fastify';
import type { RegisterRoute } from '../http/register-route.ts';
import type { OpenProvider } from '../open-provider.ts';
import type { VerifyCredentials } from '../verify-credentials.ts';
import { assertAccepted } from './assert-accepted.ts';
import { readProviderState } from './provider-state.ts';
import type { SealSecret } from '../seal-secret.ts';

export interface ProviderRouteDependencies {
  providers: Pick<ProviderStore, 'find' | 'put'>;
  providerAccounts: Pick<ProviderAccountStore, 'remove'>;
  problems: Pick<ProviderProblemStore, 'list'>;
  registry: Pick<ProviderRegistry, 'get'>;
  openProvider: OpenProvider;
  verifyCredentials: VerifyCredentials;
  /** Configures numbers that were added before the provider. */
  setInboundUrlsLater(workspaceId: string, log: FastifyBaseLogger): void;
  sealSecret: SealSecret;
  clock: Clock;
}

export function registerProviderRoutes(
  registerRoute: RegisterRoute,
  dependencies: ProviderRouteDependencies,
): void {
  const { providers, problems, openProvider, setInboundUrlsLater } = dependencies;
  const { registry, verifyCredentials, sealSecret, clock } = dependencies;

  registerRoute(routes.getProvider, async ({ workspaceId }) => {
    const provider = await providers.find(workspaceId);
    if (provider === null) throw refuse(routes.getProvider, 'not_found');
    return toProvider(provider, await problems.list(workspaceId));
  });

  registerRoute(routes.putProvider, async ({ workspaceId, actor, body, request, reply, log }) => {
    const adapter = registry.get(body.type);
    if (adapter === null) throw new Error(`this version has no adapter for ${body.type}`);
    const { account, secretLast4 } = adapter.readCredentials(body);
    await assertAccepted({ request, reply }, adapter, account);
    const provider = await providers.put(
      {
        workspaceId,
        type: body.type,
        vendorAccountId: account.vendorAccountId,
        sealedSecret: await sealSecret(account.secret, workspaceId),
        secretLast4,
        senderPool: account.senderPool,
        onUnknown: body.on_unknown ?? 'resend',
        at: new Date(clock.now()),
      },
      actor,
    );
    if (provider === 'exists') throw refuse(routes.putProvider, 'already_exists');
    setInboundUrlsLater(workspaceId, log);
    return toProvider(provider, await problems.list(workspaceId));
  });

  registerRoute(routes.removeProvider, async ({ workspaceId, actor }) => {
    const removed = await dependencies.providerAccounts.remove(workspaceId, null, actor);
    if (removed === 'missing') throw refuse(routes.removeProvider, 'not_found');
    if (removed === 'in_use') throw refuse(routes.removeProvider, 'invalid_state');
    return OK;
  });

  registerRoute(routes.verifyProvider, async ({ workspaceId, log }) => {
    const opened = await openProvider(workspaceId);
    if (opened === null) throw refuse(routes.verifyProvider, 'provider_not_configured');
    const { ok, detail } = await verifyCredentials(opened);
    if (ok) setInboundUrlsLater(workspaceId, log);
    return { ok, detail };
  });
}

function toProvider(provider: StoredProvider, problems: readonly ProviderProblem[]): Provider {
  return {
    type: provider.type,
    account_sid: provider.vendorAccountId,
    auth_token_last4: provider.secretLast4,
    messaging_service_sid: provider.senderPool,
    on_unknown: provider.onUnknown,
    ...readProviderState(provider, problems),
    created_at: provider.createdAt.toISOString(),
    updated_at: provider.updatedAt.toISOString(),
  };
}
