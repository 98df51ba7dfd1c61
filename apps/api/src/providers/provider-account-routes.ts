import {
  OK,
  type ProviderAccount,
  parseProviderCredentials,
  refuse,
  routes,
  withCredentialNames,
} from '@switchboard/contracts';
import {
  type Clock,
  type ProviderAdapter,
  defaultOnUnknown,
  evidenceOf,
  previewRoutes,
} from '@switchboard/core';
import type {
  ProviderAccountStore,
  ProviderProblem,
  ProviderProblemStore,
  ProviderStore,
  RouteReader,
  RoutingStore,
  StoredProvider,
} from '@switchboard/database';
import type { ProviderRegistry } from '@switchboard/providers';
import type { FastifyBaseLogger } from 'fastify';
import type { RegisterRoute } from '../http/register-route.ts';
import type { OpenProvider } from '../open-provider.ts';
import type { VerifyCredentials } from '../verify-credentials.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';
import { assertAccepted } from './assert-accepted.ts';
import type { DescribeCredentials } from './describe-credentials.ts';
import { readProviderState } from './provider-state.ts';
import type { SealSecret } from '../seal-secret.ts';
import { toWebhookUrls } from './webhook-urls.ts';

export interface ProviderAccountRouteDependencies {
  providers: Pick<ProviderStore, 'findById' | 'list'>;
  providerAccounts: ProviderAccountStore;
  problems: Pick<ProviderProblemStore, 'list'>;
  routing: RoutingStore;
  routeReader: Pick<RouteReader, 'readAllRoutes' | 'readConversationSender'>;
  registry: Pick<ProviderRegistry, 'get'>;
  openProvider: OpenProvider;
  verifyCredentials: VerifyCredentials;
  setInboundUrlsLater(workspaceId: string, log: FastifyBaseLogger, providerId?: string): void;
  describeCredentials: DescribeCredentials;
  sealSecret: SealSecret;
  clock: Clock;
  publicUrl: string;
}

/** Registers the routes of all provider accounts of a workspace, and of its routing. */
export function registerProviderAccountRoutes(
  registerRoute: RegisterRoute,
  dependencies: ProviderAccountRouteDependencies,
): void {
  const { providers, providerAccounts, routing, routeReader, openProvider, clock } = dependencies;
  const { setInboundUrlsLater } = dependencies;

  async function find(workspaceId: string, id: string): Promise<StoredProvider> {
    const provider = await providers.findById(id);
    if (provider?.workspaceId !== workspaceId) {
      throw refuse(routes.getProviderAccount, 'not_found');
    }
    return provider;
  }

  /** Runs before the body is read: an unknown provider takes precedence over an invalid body. */
  async function requireProvider(call: {
    workspaceId: string;
    params: { providerId: string };
  }): Promise<void> {
    await find(call.workspaceId, call.params.providerId);
  }

  function requireAdapter(type: string): ProviderAdapter {
    const adapter = dependencies.registry.get(type);
    if (adapter === null) throw new Error(`this version has no adapter for ${type}`);
    return adapter;
  }

  /** Parses the credentials of a new account, or new credentials of an existing one. */
  async function readCredentials(
    workspaceId: string,
    { type, vendorAccountId: currentId }: Pick<StoredProvider, 'type'> & Partial<StoredProvider>,
    given: object,
    call: Parameters<typeof assertAccepted>[0],
  ) {
    const adapter = requireAdapter(type);
    const credentials = parseProviderCredentials(type, given);
    const { account, secretLast4 } = withCredentialNames(() =>
      adapter.readCredentials(credentials, currentId),
    );
    await assertAccepted(call, adapter, account, 'credentials.');
    return {
      vendorAccountId: account.vendorAccountId,
      sealedSecret: await dependencies.sealSecret(account.secret, workspaceId),
      secretLast4,
      senderPool: account.senderPool,
    };
  }

  /** Adds the fields that a change of credentials omits, for types that allow it. */
  async function completeCredentials(
    { workspaceId, id, type }: StoredProvider,
    given: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const { completeCredentials: complete } = requireAdapter(type);
    if (complete === undefined) return given;
    const opened = await openProvider(workspaceId, id);
    if (opened === null) return given;
    return withCredentialNames(() => complete(given, opened.account));
  }

  async function readAccount(workspaceId: string, id: string): Promise<ProviderAccount> {
    const [provider, problems] = await Promise.all([
      find(workspaceId, id),
      dependencies.problems.list(workspaceId),
    ]);
    return toAccount(provider, problems);
  }

  function toAccount(
    provider: StoredProvider,
    problems: readonly ProviderProblem[],
  ): ProviderAccount {
    const adapter = requireAdapter(provider.type);
    const { idempotencyKey, referenceInCallback, lookUp } = evidenceOf(adapter);
    return {
      id: provider.id,
      type: provider.type,
      name: provider.name,
      credentials: dependencies.describeCredentials(provider),
      on_unknown: provider.onUnknown,
      enabled: provider.isEnabled,
      country: provider.country,
      is_default: provider.isDefault,
      ...readProviderState(provider, problems),
      evidence: {
        idempotency_key: idempotencyKey,
        reference_in_callback: referenceInCallback,
        look_up: lookUp,
      },
      webhook_urls: toWebhookUrls(adapter.webhooks, dependencies.publicUrl, provider),
      created_at: provider.createdAt.toISOString(),
      updated_at: provider.updatedAt.toISOString(),
    };
  }

  registerRoute(routes.listProviders, async ({ workspaceId, query }) => {
    const problems = await dependencies.problems.list(workspaceId);
    return respondWithPage(
      query,
      (page) => providers.list(workspaceId, page),
      (provider) => toAccount(provider, problems),
    );
  });

  registerRoute(routes.addProvider, async ({ workspaceId, actor, body, log, ...call }) => {
    const created = await providerAccounts.create(
      {
        workspaceId,
        type: body.type,
        name: body.name ?? '',
        onUnknown: body.on_unknown ?? defaultOnUnknown(evidenceOf(requireAdapter(body.type))),
        isEnabled: body.enabled ?? true,
        country: body.country ?? null,
        at: new Date(clock.now()),
        ...(await readCredentials(workspaceId, { type: body.type }, body.credentials, call)),
      },
      actor,
    );
    if (created === 'quota_exceeded') throw refuse(routes.addProvider, 'quota_exceeded');
    if (created === 'exists') throw refuse(routes.addProvider, 'already_exists');
    setInboundUrlsLater(workspaceId, log, created.id);
    return readAccount(workspaceId, created.id);
  });

  registerRoute(routes.getProviderAccount, ({ workspaceId, params }) =>
    readAccount(workspaceId, params.providerId),
  );

  registerRoute(routes.changeProvider, {
    onRequest: requireProvider,
    async handle({ workspaceId, actor, params: { providerId }, body, log, ...call }) {
      const { name, on_unknown: onUnknown, enabled: isEnabled, country, credentials } = body;
      const isDefault = body.is_default;
      const given = [name, onUnknown, isEnabled, isDefault, country, credentials];
      if (given.every((value) => value === undefined)) {
        throw refuse(routes.changeProvider, 'missing_params');
      }
      const stored = await find(workspaceId, providerId);
      const change = {
        ...(name !== undefined && { name }),
        ...(onUnknown !== undefined && { onUnknown }),
        ...(isEnabled !== undefined && { isEnabled }),
        ...(isDefault !== undefined && { isDefault }),
        ...(country !== undefined && { country }),
        ...(credentials !== undefined && {
          credentials: await readCredentials(
            workspaceId,
            stored,
            await completeCredentials(stored, credentials),
            call,
          ),
        }),
        at: new Date(clock.now()),
      };
      const result = await providerAccounts.update(workspaceId, providerId, change, actor);
      if (result === 'missing') throw refuse(routes.changeProvider, 'not_found');
      if (result === 'exists') throw refuse(routes.changeProvider, 'already_exists');
      if (credentials !== undefined) setInboundUrlsLater(workspaceId, log, providerId);
      return readAccount(workspaceId, providerId);
    },
  });

  registerRoute(routes.removeProviderAccount, {
    onRequest: requireProvider,
    async handle({ workspaceId, actor, params: { providerId } }) {
      const result = await providerAccounts.remove(workspaceId, providerId, actor);
      if (result === 'missing') throw refuse(routes.removeProviderAccount, 'not_found');
      if (result === 'in_use') throw refuse(routes.removeProviderAccount, 'invalid_state');
      return OK;
    },
  });

  registerRoute(routes.verifyProviderAccount, {
    onRequest: requireProvider,
    async handle({ workspaceId, params: { providerId }, log }) {
      const opened = await openProvider(workspaceId, providerId);
      if (opened === null) throw refuse(routes.verifyProviderAccount, 'not_found');
      const { ok, detail } = await dependencies.verifyCredentials(opened);
      if (ok) setInboundUrlsLater(workspaceId, log, providerId);
      return { ok, detail };
    },
  });

  registerRoute(routes.getRouting, async ({ workspaceId }) =>
    toRouting(await routing.find(workspaceId)),
  );

  registerRoute(routes.putRouting, async ({ workspaceId, actor, body }) => {
    const stored = {
      failover: body.failover,
      rules: body.rules.map(({ prefix, providers: shares }) => ({
        prefix,
        providers: shares.map(({ provider_id: providerId, weight }) => ({ providerId, weight })),
      })),
    };
    const at = new Date(clock.now());
    const result = await routing.put(workspaceId, { ...stored, at }, actor);
    if (result === 'unknown_provider') throw refuse(routes.putRouting, 'invalid_params');
    return toRouting(stored);
  });

  registerRoute(routes.previewRouting, async ({ workspaceId, body: { to } }) => {
    const current = await routeReader.readAllRoutes(workspaceId);
    // Without rules, a message without a sender gets the default number when it is accepted.
    const isRouted = current.rules.length > 0;
    const senders = current.accounts.flatMap((account) => account.senders);
    const preview = previewRoutes(current, {
      to,
      from: isRouted ? null : (senders.find(({ isDefault }) => isDefault)?.number ?? null),
      conversationSender: isRouted
        ? await routeReader.readConversationSender(workspaceId, to)
        : null,
    });
    return {
      prefix: preview.prefix,
      routes: preview.routes.map(({ account, from, share }) => ({
        provider_id: account.id,
        from,
        share,
      })),
    };
  });
}

function toRouting({ rules, failover }: Awaited<ReturnType<RoutingStore['find']>>) {
  return {
    rules: rules.map(({ prefix, providers }) => ({
      prefix,
      providers: providers.map(({ providerId, weight }) => ({ provider_id: providerId, weight })),
    })),
    failover,
  };
}
