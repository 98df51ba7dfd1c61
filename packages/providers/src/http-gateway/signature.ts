import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookRequest } from '@switchboard/core';
import { readMessageId } from '../webhook-addresses.ts';
import type { GatewayConfig } from './config.ts';

type Headers = WebhookRequest['headers'];

/** 32 bytes in hexadecimal or base64, with or without the name of the algorithm. */
const SIGNATURE = /^(?:sha256=)?(?:([0-9a-f]{64})|([\w+/-]{43}=?))$/i;
/** Allows for clocks that differ. Gateways sign each retry with its own time. */
const TOLERANCE_SECONDS = 300;

/**
 * Returns whether the request has any header that may be a signature. The account defines which one
 * is.
 */
export function hasSignature({ headers }: { headers: Headers }): boolean {
  return Object.values(headers).some((value) => typeof value === 'string' && SIGNATURE.test(value));
}

/**
 * Returns whether the gateway signed the body with the account's secret. If it also signs the time,
 * which follows the body in seconds, the time must be recent.
 */
export function isSigned(
  { secret, header, timestamp_header: timestampHeader }: NonNullable<GatewayConfig['signing']>,
  { headers, body }: WebhookRequest,
  now: number,
): boolean {
  const signature = readSignature(headers[header]);
  if (signature === null) return false;
  const timestamp = timestampHeader === null ? '' : headers[timestampHeader];
  if (typeof timestamp !== 'string') return false;
  if (timestampHeader !== null) {
    if (!/^\d{1,12}$/.test(timestamp)) return false;
    if (Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  }
  const expected = createHmac('sha256', secret).update(body).update(timestamp).digest();
  return timingSafeEqual(expected, signature);
}

function readSignature(value: Headers[string]): Buffer | null {
  const [, hex, base64] = SIGNATURE.exec(typeof value === 'string' ? value : '') ?? [];
  const bytes = Buffer.from(hex ?? base64 ?? '', hex === undefined ? 'base64' : 'hex');
  return bytes.length === 32 ? bytes : null;
}

/** Creates the proof, in the URL of status callbacks, that the service gave the URL to the gateway. */
export function createStatusToken(secret: string, messageId: string): string {
  return createHmac('sha256', secret).update(`status of ${messageId}`).digest('base64url');
}

/** Reads the message ID from the URL of a status callback; null unless the service made the URL. */
export function readStatusUrl(secret: string, url: string): string | null {
  const messageId = readMessageId(url);
  if (messageId === null) return null;
  const token = Buffer.from(new URL(url).searchParams.get('token') ?? '');
  const expected = Buffer.from(createStatusToken(secret, messageId));
  return token.length === expected.length && timingSafeEqual(token, expected) ? messageId : null;
}
