import { AppError, type NewCredentials, type ProviderAccount } from '@switchboard/core';

import { toLast4 } from '../to-last4.ts';
import type { Credentials } from './credentials-schema.ts';
import { toPublicKey } from './signature.ts';

/**
 * The public key identifies the account, because this key proves that a webhook belongs to the account.
 *
 * @throws AppError `invalid_params`, naming the parameter
 */
export function readCredentials(input: Credentials): NewCredentials {
  const { api_key: secret, public_key: id, messaging_profile_id: senderPool = null } = input;
  // The last character of a base64 text has bits that must be 0.
  if (toPublicKey(id) === null) {
    throw new AppError(
      'invalid_params',
      '`public_key` must be 32 bytes in base64, as shown in the Telnyx portal',
    );
  }
  return { account: { vendorAccountId: id, secret, senderPool }, secretLast4: toLast4(secret) };
}

export function describeCredentials({ vendorAccountId: id, secret, senderPool }: ProviderAccount) {
  return {
    api_key_last4: toLast4(secret),
    public_key: id,
    messaging_profile_id: senderPool,
  };
}
