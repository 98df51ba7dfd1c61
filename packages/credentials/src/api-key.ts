import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from './base62.ts';

/**
 * `swb_`, 32 random base62 characters and 6 check digits: the CRC32 of everything before them, in
 * base62. A secret scanner can match the format and verify the digits, and so can the service before it
 * queries the database.
 */
const FORM = /^swb_[0-9A-Za-z]{38}$/;
const CHECK_DIGITS = 6;

export function createApiKey(): { key: string; prefix: string; last4: string } {
  const secret = `swb_${randomBase62(32)}`;
  const key = secret + checkDigits(secret);
  return { key, prefix: key.slice(0, 8), last4: key.slice(-4) };
}

export function isApiKey(value: string): boolean {
  return FORM.test(value) && value.endsWith(checkDigits(value.slice(0, -CHECK_DIGITS)));
}

function checkDigits(secret: string): string {
  return toBase62(crc32(secret), CHECK_DIGITS);
}
