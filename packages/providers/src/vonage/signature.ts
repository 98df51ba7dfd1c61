import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

import type { ProviderAccount, WebhookRequest } from '@switchboard/core';

import { type JsonObject, parseObject } from '../http/parse-object.ts';
import { openSecrets } from './credentials.ts';

const BEARER = /^Bearer +([\w-]+)\.([\w-]+)\.([\w-]+)$/i;
/** Allows for clocks that differ. */
const FUTURE_SECONDS = 300;
/** Vonage retries a webhook for 24 hours. A repeated webhook changes nothing. */
const PAST_SECONDS = 25 * 3_600;

export function hasSignature({ headers }: Pick<WebhookRequest, 'headers'>): boolean {
  return typeof headers['authorization'] === 'string' && BEARER.test(headers['authorization']);
}

/**
 * Returns whether Vonage signed the body for the application: with a JWT that is signed with the
 * signature secret and contains the hash of the body.
 * https://developer.vonage.com/en/getting-started/concepts/webhooks#decoding-signed-webhooks
 */
export function isSigned(account: ProviderAccount, request: WebhookRequest, now: number): boolean {
  const { authorization } = request.headers;
  const token = BEARER.exec(typeof authorization === 'string' ? authorization : '');
  const { signatureSecret } = openSecrets(account);
  // Anyone can sign with an empty secret.
  if (token === null || signatureSecret === '') return false;
  const [, header = '', claims = '', signature = ''] = token;
  if (decode(header)['alg'] !== 'HS256') return false;
  const expected = createHmac('sha256', signatureSecret).update(`${header}.${claims}`).digest();
  if (!isSame(expected, Buffer.from(signature, 'base64url'))) return false;
  return isForAccount(decode(claims), account, request.body, now / 1_000);
}

function isForAccount(
  claims: JsonObject,
  account: ProviderAccount,
  body: Uint8Array,
  nowSeconds: number,
): boolean {
  const { application_id: applicationId, payload_hash: hash, iat } = claims;
  // One secret signs the webhooks of all applications of an account at Vonage.
  if (applicationId !== undefined && applicationId !== account.vendorAccountId) return false;
  if (typeof iat !== 'number' || typeof hash !== 'string') return false;
  if (iat > nowSeconds + FUTURE_SECONDS || iat < nowSeconds - PAST_SECONDS) return false;
  return isSame(createHash('sha256').update(body).digest(), Buffer.from(hash, 'hex'));
}

function isSame(expected: Buffer, actual: Buffer): boolean {
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function decode(part: string): JsonObject {
  return parseObject(Buffer.from(part, 'base64url').toString());
}
