import {
  type AccountAddress,
  AppError,
  type ProvedAccount,
  type ProviderAccount,
  type ProviderAdapter,
  type ProviderWebhooks,
  type WebhookOutcome,
  type WebhookRequest,
  isUuid,
} from '@switchboard/core';
import type { ProviderStore, StoredProvider } from '@switchboard/database';
import type { ResolveProviderAccount } from '@switchboard/providers';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { createLeastRecentlyUsed } from '../least-recently-used.ts';
import type { RequireVerifiedAccount } from './require-verified-account.ts';

/** A webhook with a signature that is not verified yet. */
export interface SignedWebhook {
  adapter: ProviderAdapter;
  webhooks: ProviderWebhooks;
  /** Read from the path, which contains one of the two. */
  address: Partial<AccountAddress>;
  request: WebhookRequest;
  log: FastifyBaseLogger;
}

export interface VerifiedWebhook<Content> {
  /** The account that signed it. */
  account: AccountAddress;
  /** The workspace was closed. Statuses of its messages still count. */
  isClosed: boolean;
  /**
   * Returns the content; null if there is nothing to record, so that the response is a success.
   *
   * @throws AppError when the webhook lacks a required field
   */
  readContent(): Content | null;
}

/** Reads a webhook with the provider's method for its kind. */
type ReadWebhook<Content> = (
  webhooks: ProviderWebhooks,
  account: ProviderAccount,
  request: WebhookRequest,
) => WebhookOutcome<Content>;

export type VerifyWebhook = <Content>(
  webhook: SignedWebhook,
  read: ReadWebhook<Content>,
) => Promise<VerifiedWebhook<Content>>;

/** A webhook that the credentials of an account prove. */
export interface ProvedWebhook<Content> {
  account: ProvedAccount;
  content: Content;
}

export interface WebhookVerification {
  verifyWebhook: VerifyWebhook;
  /**
   * Verifies a webhook with the accounts that its address named last time, without a query. Returns
   * null if that is not enough. The credentials may have changed since, so the statement that
   * stores the content must compare them.
   */
  verifyRemembered<Content>(
    webhook: SignedWebhook,
    read: ReadWebhook<Content>,
  ): ProvedWebhook<Content> | null;
}

export interface VerifyWebhookDependencies {
  providers: Pick<ProviderStore, 'listOfType' | 'findById'>;
  resolveProviderAccount: ResolveProviderAccount;
  requireVerifiedAccount: RequireVerifiedAccount;
}

/** Refuses a request without a signature before the database is read. */
export function readSigned(
  request: FastifyRequest,
  { adapter, webhooks }: Pick<SignedWebhook, 'adapter' | 'webhooks'>,
  publicUrl: string,
): SignedWebhook {
  const address = request.params as Partial<AccountAddress>;
  const { headers, body } = request;
  const id = address.providerId ?? address.workspaceId ?? '';
  if (!isUuid(id) || !Buffer.isBuffer(body) || !webhooks.hasSignature({ headers })) {
    throw forged();
  }
  const url = publicUrl + (request.raw.url ?? '');
  return { adapter, webhooks, address, request: { url, headers, body }, log: request.log };
}

const REMEMBERED_MAX = 1_000;

/**
 * Accepts webhooks that the workspace's provider has signed. A missing or wrong signature, an
 * unverified account, an unknown workspace and a workspace with another provider all get the same
 * 403, so that the response reveals nothing.
 */
export function createWebhookVerification(
  dependencies: VerifyWebhookDependencies,
): WebhookVerification {
  const { providers, resolveProviderAccount, requireVerifiedAccount } = dependencies;
  /** The accounts that an address names, as they were when one of them had signed a webhook. */
  const remembered = createLeastRecentlyUsed<readonly StoredProvider[]>(REMEMBERED_MAX);

  /** Lists the accounts that may have signed: a path with a workspace names all its accounts. */
  async function listNamed({ adapter, address }: SignedWebhook): Promise<StoredProvider[]> {
    const { workspaceId = '', providerId } = address;
    if (providerId === undefined) return providers.listOfType(workspaceId, adapter.type);
    const provider = await providers.findById(providerId);
    return provider?.type === adapter.type ? [provider] : [];
  }

  function findSigner<Content>(
    { webhooks, request, log }: SignedWebhook,
    read: ReadWebhook<Content>,
    named: readonly StoredProvider[],
  ) {
    let failure: AppError | null = null;
    for (const provider of named) {
      const resolved = resolveProviderAccount(provider.workspaceId, provider);
      if (resolved.kind === 'unusable') {
        const { detail, cause } = resolved;
        log.error({ err: cause, detail }, 'failed to open provider credentials');
        failure = new AppError('internal_error', 'An internal error occurred', { cause });
        continue;
      }
      const { account } = resolved;
      const outcome = read(webhooks, account, request);
      if (outcome.kind !== 'forged') return { provider, account, outcome };
    }
    // The account that cannot be opened may have signed the webhook.
    if (failure !== null) throw failure;
    return null;
  }

  async function verifyWebhook<Content>(
    webhook: SignedWebhook,
    read: ReadWebhook<Content>,
  ): Promise<VerifiedWebhook<Content>> {
    const { adapter, log } = webhook;
    const named = await listNamed(webhook);
    const signer = findSigner(webhook, read, named);
    if (signer === null) throw forged();
    const { provider, account, outcome } = signer;
    if (!(await requireVerifiedAccount({ provider, adapter, account }))) {
      log.warn('webhook refused: the provider does not accept the credentials');
      throw forged();
    }
    remembered.set(nameOf(webhook), named.filter(isUsable));

    return {
      account: { workspaceId: provider.workspaceId, providerId: provider.id },
      isClosed: provider.isClosed === true,
      readContent() {
        switch (outcome.kind) {
          case 'read':
            return outcome.content;
          case 'ignored':
            log.debug(
              { workspace_id: provider.workspaceId, event: outcome.event },
              'webhook ignored: the service does not handle the event',
            );
            return null;
          case 'invalid':
            throw outcome.error;
        }
      },
    };
  }

  function isUsable(provider: StoredProvider): boolean {
    if (!provider.isVerified) return false;
    return resolveProviderAccount(provider.workspaceId, provider).kind === 'resolved';
  }

  return {
    verifyWebhook,

    verifyRemembered(webhook, read) {
      const signer = findSigner(webhook, read, remembered.get(nameOf(webhook)) ?? []);
      if (signer?.outcome.kind !== 'read') return null;
      return { account: signer.provider, content: signer.outcome.content };
    },
  };
}

function nameOf({ adapter, address }: SignedWebhook): string {
  return `${adapter.type} ${address.providerId ?? address.workspaceId}`;
}

export function forged(): AppError {
  return new AppError(
    'forbidden',
    'Insufficient permissions for the resource: the signature is not valid',
  );
}
