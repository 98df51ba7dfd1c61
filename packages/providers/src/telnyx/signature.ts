import { type KeyObject, createPublicKey, verify } from 'node:crypto';

import type { WebhookRequest } from '@switchboard/core';

const SIGNATURE_HEADER = 'telnyx-signature-ed25519';
const TIMESTAMP_HEADER = 'telnyx-timestamp';
/** Telnyx's own tolerance. */
const TOLERANCE_SECONDS = 300;

const KEY_BYTES = 32;
/** The DER encoding of an Ed25519 public key is this prefix and the key (RFC 8410). */
const DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Parses the public key of an account; null unless it is the base64 text of 32 bytes. */
export function toPublicKey(text: string): KeyObject | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== text) return null;
  const key = Buffer.concat([DER_PREFIX, bytes]);
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

/**
 * Returns the base64 text of a key that Telnyx shows, which may be wrapped, unpadded or DER-encoded;
 * null if it is no key.
 */
export function normalizePublicKey(text: string): string | null {
  const bytes = Buffer.from(text, 'base64');
  const isDer = bytes.length === DER_PREFIX.length + KEY_BYTES && bytes.indexOf(DER_PREFIX) === 0;
  const key = isDer ? bytes.subarray(DER_PREFIX.length) : bytes;
  return key.length === KEY_BYTES ? key.toString('base64') : null;
}

export function hasSignature({ headers }: Pick<WebhookRequest, 'headers'>): boolean {
  return (
    typeof headers[SIGNATURE_HEADER] === 'string' && typeof headers[TIMESTAMP_HEADER] === 'string'
  );
}

/**
 * Returns whether Telnyx signed the body with the account's key within the last five minutes. The
 * signature covers the time and the body, but not the URL.
 * https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks
 */
export function isSigned(publicKey: string, request: WebhookRequest, now: number): boolean {
  const { [SIGNATURE_HEADER]: signature, [TIMESTAMP_HEADER]: timestamp } = request.headers;
  if (typeof signature !== 'string' || typeof timestamp !== 'string') return false;
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const key = toPublicKey(publicKey);
  const signed = Buffer.concat([Buffer.from(`${timestamp}|`), request.body]);
  return key !== null && verify(null, signed, key, Buffer.from(signature, 'base64'));
}
