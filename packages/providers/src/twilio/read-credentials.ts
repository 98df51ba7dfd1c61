import { AppError, type NewCredentials, type ProviderAccount } from '@switchboard/core';

import { toLast4 } from '../http/read-credential.ts';

/**
 * Parses `{ account_sid, auth_token, messaging_service_sid? }`.
 *
 * @throws AppError `missing_params` or `invalid_params`, naming the parameter
 */
export function readCredentials(input: Readonly<Record<string, unknown>>): NewCredentials {
  const id = readRequired(input, 'account_sid');
  const secret = readRequired(input, 'auth_token');
  const { messaging_service_sid: senderPool = null } = input;
  if (senderPool !== null && typeof senderPool !== 'string') {
    throw new AppError('invalid_params', '`messaging_service_sid` must be a string or null');
  }
  return { account: { vendorAccountId: id, secret, senderPool }, secretLast4: toLast4(secret) };
}

/** Returns `{ account_sid, auth_token_last4, messaging_service_sid }`. */
export function describeCredentials(account: ProviderAccount): Record<string, string | null> {
  return {
    account_sid: account.vendorAccountId,
    auth_token_last4: toLast4(account.secret),
    messaging_service_sid: account.senderPool,
  };
}

function readRequired(input: Readonly<Record<string, unknown>>, name: string): string {
  const value = input[name];
  if (typeof value !== 'string' || value === '') {
    throw new AppError('missing_params', `Missing required parameters: \`${name}\``);
  }
  return value;
}
