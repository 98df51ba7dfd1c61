import { AppError, type ProviderAccount, type ProviderAdapter, isUuid } from '@switchboard/core';
import type { ProviderStore } from '@switchboard/database';
import type { ProviderRegistry } from '@switchboard/providers';
import { type SecretBox, SecretBoxError } from '@switchboard/runtime';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { AUTH_TOKEN_FIELD } from '../open-provider.ts';
import type { FormFields } from './parse-form.ts';
import type { RequireVerifiedAccount } from './require-verified-account.ts';

export interface VerifiedWebhook {
  workspaceId: string;
  adapter: ProviderAdapter;
  account: ProviderAccount;
  fields: FormFields;
}

/** A request that may turn out to be signed. */
export interface SignedRequest {
  workspaceId: string;
  /** Path and query as they came. */
  path: string;
  signature: string;
  fields: FormFields;
  log: FastifyBaseLogger;
}

export interface VerifyWebhookDependencies {
  providers: Pick<ProviderStore, 'find'>;
  registry: Pick<ProviderRegistry, 'get'>;
  secretBox: Pick<SecretBox, 'open'>;
  requireVerifiedAccount: RequireVerifiedAccount;
  publicUrl: string;
}

/** Refuses what can't be signed, before anybody is asked for it. */
export function readSigned(request: FastifyRequest): SignedRequest {
  const { workspaceId } = request.params as { workspaceId: string };
  const signature = request.headers['x-twilio-signature'];
  const fields = request.body as FormFields | undefined;
  if (!isUuid(workspaceId) || typeof signature !== 'string' || fields === undefined) throw forged();
  return { workspaceId, path: request.raw.url ?? '', signature, fields, log: request.log };
}

/**
 * Lets in what the workspace's provider has signed. Unsigned, wrongly signed, signed for an account
 * that is not verified, for a workspace that does not exist or has no provider: all the same 403, so
 * that nothing can be learned by asking.
 */
export function createVerifyWebhook(dependencies: VerifyWebhookDependencies) {
  const { providers, registry, secretBox, requireVerifiedAccount, publicUrl } = dependencies;

  return async function verifyWebhook(request: SignedRequest): Promise<VerifiedWebhook> {
    const { workspaceId, signature, fields } = request;
    const provider = await providers.find(workspaceId);
    const adapter = provider === null ? null : registry.get(provider.type);
    if (provider === null || adapter === null) throw forged();

    let authToken: string;
    try {
      authToken = secretBox.open(provider.authTokenEncrypted, {
        workspaceId,
        field: AUTH_TOKEN_FIELD,
      });
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      request.log.error({ err: error }, 'provider credentials can not be decrypted');
      throw new AppError('internal_error', 'An internal error occurred', { cause: error });
    }
    const url = publicUrl + request.path;
    if (!adapter.isSigned(authToken, { url, signature, fields })) throw forged();
    const { accountSid, messagingServiceSid } = provider;
    const account = { accountSid, authToken, messagingServiceSid };
    if (!(await requireVerifiedAccount({ provider, adapter, account }))) {
      request.log.warn('webhook refused: the provider does not accept the credentials');
      throw forged();
    }
    return {
      workspaceId: workspaceId.toLowerCase(),
      adapter,
      account,
      // The signature covers the text as it came; PostgreSQL can't store NUL.
      fields: fields.map(([name, value]) => [name, value.replaceAll('\0', '\uFFFD')] as const),
    };
  };
}

export function forged(): AppError {
  return new AppError(
    'forbidden',
    'Insufficient permissions for the resource: the signature is not valid',
  );
}
