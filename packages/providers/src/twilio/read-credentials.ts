import type { NewCredentials, ProviderAccount } from '@switchboard/core';

import { toLast4 } from '../to-last4.ts';
import type { Credentials } from './credentials-schema.ts';

export function readCredentials(input: Credentials): NewCredentials {
  const { account_sid: id, auth_token: secret, messaging_service_sid: senderPool = null } = input;
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
