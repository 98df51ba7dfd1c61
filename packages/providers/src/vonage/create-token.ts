import { randomUUID, sign } from 'node:crypto';

import type { ProviderAccount } from '@switchboard/core';

import { openSecrets, toPrivateKey } from './credentials.ts';

/** Allows for clocks that differ and for calls that wait for a connection. */
const LIFETIME_SECONDS = 900;

/**
 * Creates the token of one request, a JWT that the application's private key signs; null if the key
 * is malformed.
 */
export function createToken(account: ProviderAccount, now: number): string | null {
  const key = toPrivateKey(openSecrets(account).privateKey);
  if (key === null) return null;
  const issuedAt = Math.floor(now / 1_000);
  const claims = {
    application_id: account.vendorAccountId,
    iat: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
    jti: randomUUID(),
  };
  const signed = `${encode({ typ: 'JWT', alg: 'RS256' })}.${encode(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
