import { AppError, type NewCredentials, type ProviderAccount } from '@switchboard/core';

import { readOptionalCredential, requireCredential, toLast4 } from '../http/read-credential.ts';
import { toPublicKey } from './signature.ts';

/**
 * Parses `{ api_key, public_key, messaging_profile_id? }`. The public key identifies the account,
 * because this key proves that a webhook belongs to the account.
 *
 * @throws AppError `missing_params` or `invalid_params`, naming the parameter
 */
export function readCredentials(input: Readonly<Record<string, unknown>>): NewCredentials {
  const secret = requireCredential(input, 'api_key');
  const id = requireCredential(input, 'public_key');
  if (toPublicKey(id) === null) {
    throw new AppError(
      'invalid_params',
      '`public_key` must be 32 bytes in base64, as shown in the Telnyx portal',
    );
  }
  const senderPool = readOptionalCredential(input, 'messaging_profile_id');
  return { account: { vendorAccountId: id, secret, senderPool }, secretLast4: toLast4(secret) };
}

export function describeCredentials({ vendorAccountId: id, secret, senderPool }: ProviderAccount) {
  return {
    api_key_last4: toLast4(secret),
    public_key: id,
    messaging_profile_id: senderPool,
  };
}
