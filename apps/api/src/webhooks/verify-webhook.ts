import {
  type AccountAddress,
  AppError,
  type ProviderAccount,
  type ProviderAdapter,
  type WebhookOutcome,
  type WebhookRequest,
  isUuid,
} from '@switchboard/core';
import type { ProviderStore } from '@switchboard/database';
import type { ResolveProviderAccount } from '@switchboard/providers';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { RequireVerifiedAccount } from './require-verified-account.ts';

/** A webhook with a signature that is not verified yet. */
export interface SignedWebhook {
  adapter: ProviderAdapter;
  /** Read from the path, which contains one of the two. */
  address: Partial<AccountAddress>;
  request: WebhookRequest;
  log: FastifyBaseLogger;
}

export interface VerifiedWebhook<Content> {
  workspaceId: string;
  /**
   * Returns the content; null if there is nothing to record, so that the answer is a success.
   *
   * @throws AppError when the webhook lacks a required field
   */
  readContent(): Content | null;
}

/** Reads a webhook with the adapter's method of its kind. */
type ReadWebhook<Content> = (
  adapter: ProviderAdapter,
  account: ProviderAccount,
  request: WebhookRequest,
) => WebhookOutcome<Content>;

export type VerifyWebhook = <Content>(
  webhook: SignedWebhook,
  read: ReadWebhook<Content>,
) => Promise<VerifiedWebhook<Content>>;

export interface VerifyWebhookDependencies {
  providers: Pick<ProviderStore, 'listOfType' | 'findById'>;
  resolveProviderAccount: ResolveProviderAccount;
  requireVerifiedAccount: RequireVerifiedAccount;
}

/** Refuses a request without a signature before the database is read. */
export function readSigned(
  request: FastifyRequest,
  adapter: ProviderAdapter,
  publicUrl: string,
): SignedWebhook {
  const address = request.params as Partial<AccountAddress>;
  const { headers, body } = request;
  const id = address.providerId ?? address.workspaceId ?? '';
  if (!isUuid(id) || typeof body !== 'string' || !adapter.hasSignature({ headers })) {
    throw forged();
  }
  const url = publicUrl + (request.raw.url ?? '');
  return { adapter, address, request: { url, headers, body }, log: request.log };
}

/**
 * Accepts webhooks that the workspace's provider has signed. A missing or wrong signature, an
 * unverified account, an unknown workspace and a workspace with another provider all get the same
 * 403, so that the answer reveals nothing.
 */
export function createVerifyWebhook(dependencies: VerifyWebhookDependencies): VerifyWebhook {
  const { providers, resolveProviderAccount, requireVerifiedAccount } = dependencies;

  /** Finds the account that has signed the webhook: a path with a workspace names all its accounts. */
  async function findSigner<Content>(
    { adapter, address, request, log }: SignedWebhook,
    read: ReadWebhook<Content>,
  ) {
    const { workspaceId = '', providerId } = address;
    const named =
      providerId === undefined
        ? await providers.listOfType(workspaceId, adapter.type)
        : [await providers.findById(providerId)];
    let failure: AppError | null = null;
    for (const provider of named) {
      if (provider?.type !== adapter.type) continue;
      const resolved = resolveProviderAccount(provider.workspaceId, provider);
      if (resolved.kind === 'unusable') {
        const { detail, cause } = resolved;
        log.error({ err: cause, detail }, 'failed to open provider credentials');
        failure = new AppError('internal_error', 'An internal error occurred', { cause });
        continue;
      }
      const { account } = resolved;
      const outcome = read(adapter, account, request);
      if (outcome.kind !== 'forged') return { provider, account, outcome };
    }
    // The account that cannot be opened may have signed the webhook.
    if (failure !== null) throw failure;
    return null;
  }

  return async function verifyWebhook(webhook, read) {
    const { adapter, log } = webhook;
    const signer = await findSigner(webhook, read);
    if (signer === null) throw forged();
    const { provider, account, outcome } = signer;
    if (!(await requireVerifiedAccount({ provider, adapter, account }))) {
      log.warn('webhook refused: the provider does not accept the credentials');
      throw forged();
    }
    return {
      workspaceId: provider.workspaceId,
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
  };
}

export function forged(): AppError {
  return new AppError(
    'forbidden',
    'Insufficient permissions for the resource: the signature is not valid',
  );
}
