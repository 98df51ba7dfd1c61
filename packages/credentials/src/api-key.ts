import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from './base62.ts';

/**
 * `swb_`, the shard of the workspace in 3 hexadecimal digits, 29 random base62 characters and 6 check digits: the
 * CRC32 of everything before them, in base62. A secret scanner can match the format and verify the digits, and so can the service before it
 * queries the database.
 */
const FORM = /^swb_[0-9a-f]{3}[0-9A-Za-z]{35}$/;
/** `swb_`, the shard and 4 random characters, by which people tell keys apart. */
const PREFIX_LENGTH = 11;
const CHECK_DIGITS = 6;

export function createApiKey(shard = 0): { key: string; prefix: string; last4: string } {
  const secret = `swb_${shard.toString(16).padStart(3, '0')}${randomBase62(29)}`;
  const key = secret + checkDigits(secret);
  return { key, prefix: key.slice(0, PREFIX_LENGTH), last4: key.slice(-4) };
}

export function isApiKey(value: string): boolean {
  return FORM.test(value) && value.endsWith(checkDigits(value.slice(0, -CHECK_DIGITS)));
}

function checkDigits(secret: string): string {
  return toBase62(crc32(secret), CHECK_DIGITS);
}
