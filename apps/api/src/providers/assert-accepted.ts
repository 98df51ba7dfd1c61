import { AppError, type ProviderAccount, type ProviderAdapter } from '@switchboard/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readPreference } from '../http/read-preference.ts';

/** The end of a secret's name in described credentials. */
const SUFFIX = '_last4';

/**
 * Refuses credentials that the provider does not accept, if the request prefers that, before they
 * replace working ones. Accepts them if the provider is unreachable.
 *
 * @throws AppError `invalid_params`, naming the refused credential
 */
export async function assertAccepted(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  adapter: ProviderAdapter,
  account: ProviderAccount,
  /** The prefix of the credential's name. */
  prefix = '',
): Promise<void> {
  if (readPreference(request.headers['prefer'], 'handling') !== 'strict') return;
  const check = await adapter.verifyAccount(account);
  if (check.isRefused) {
    const secret = Object.keys(adapter.describeCredentials(account))
      .find((name) => name.endsWith(SUFFIX))
      ?.slice(0, -SUFFIX.length);
    const refused = check.refusedName ?? secret;
    const name = refused === undefined ? 'credentials' : prefix + refused;
    throw new AppError(
      'invalid_params',
      `\`${name}\` was refused by the provider: ${check.detail}`,
    );
  }
  reply.header('preference-applied', 'handling=strict');
}
