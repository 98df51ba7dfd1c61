import { type KeyObject, createPrivateKey } from 'node:crypto';

import {
  AppError,
  type DescribedCredentials,
  type NewCredentials,
  type ProviderAccount,
} from '@switchboard/core';

import { parseObject } from '../http/parse-object.ts';
import { toLast4 } from '../to-last4.ts';
import type { Credentials } from './credentials-schema.ts';

/** The secrets of an account, as one text of JSON. */
export interface Secrets {
  /** Signs our requests: an RSA key in PEM. */
  privateKey: string;
  /** Signs Vonage's webhooks. */
  signatureSecret: string;
  /** The key and the secret of the whole account, which list its numbers. Both are empty without them. */
  apiKey: string;
  apiSecret: string;
}

/** An RSA key with fewer bits cannot sign with RS256 safely (RFC 7518, 3.3). */
const LEAST_KEY_BITS = 2_048;

/** @throws AppError `invalid_params`, naming the parameter */
export function readCredentials(input: Credentials): NewCredentials {
  const { application_id: id, private_key: privateKey, signature_secret: signatureSecret } = input;
  const key = toPrivateKey(privateKey);
  const bits = key?.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key?.asymmetricKeyType !== 'rsa' || bits < LEAST_KEY_BITS) {
    throw new AppError(
      'invalid_params',
      `\`private_key\` must be an RSA private key of at least ${LEAST_KEY_BITS} bits in PEM format, as in the file private.key of the application`,
    );
  }
  const apiKey = input.api_key ?? '';
  const apiSecret = input.api_secret ?? '';
  if ((apiKey === '') !== (apiSecret === '')) {
    const name = apiKey === '' ? 'api_key' : 'api_secret';
    throw new AppError(
      'invalid_params',
      `\`${name}\` is required too: \`api_key\` and \`api_secret\` must be given together`,
    );
  }
  const secrets: Secrets = { privateKey, signatureSecret, apiKey, apiSecret };
  return {
    account: { vendorAccountId: id, secret: JSON.stringify(secrets), senderPool: null },
    secretLast4: toLast4(signatureSecret),
  };
}

export function describeCredentials(account: ProviderAccount): DescribedCredentials {
  const { signatureSecret, apiKey, apiSecret } = openSecrets(account);
  return {
    application_id: account.vendorAccountId,
    signature_secret_last4: toLast4(signatureSecret),
    ...(apiKey !== '' && { api_key: apiKey, api_secret_last4: toLast4(apiSecret) }),
  };
}

/** Reads the secrets of an account; empty ones if they are malformed. */
export function openSecrets({ secret }: Pick<ProviderAccount, 'secret'>): Secrets {
  const stored = parseObject(secret);
  const read = (name: keyof Secrets): string => {
    const value = stored[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    privateKey: read('privateKey'),
    signatureSecret: read('signatureSecret'),
    apiKey: read('apiKey'),
    apiSecret: read('apiSecret'),
  };
}

/** Parses a private key in PEM format; null if it is malformed. */
export function toPrivateKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    // OpenSSL's message says nothing that helps the account's owner.
    return null;
  }
}
