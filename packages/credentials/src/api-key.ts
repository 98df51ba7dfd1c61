import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from './base62.ts';

/**
 * `swb_`, or `swb_test_` for a key of test mode, the shard of the workspace in 3 hexadecimal digits, 29 random base62 characters and 6 check digits: the
 * CRC32 of everything before them, in base62. A secret scanner can match the format and verify the digits, and so can the service before it
 * queries the database.
 */
const FORM = /^swb_(test_)?[0-9a-f]{3}[0-9A-Za-z]{35}$/;
const CHECK_DIGITS = 6;

/** A prefix, by which people tell keys apart, ends after the shard and 4 random characters. */
const RANDOM_AT = 3 + 4;

export function createApiKey({
  shard = 0,
  mode = 'live',
}: { shard?: number; mode?: 'live' | 'test' } = {}): {
  key: string;
  prefix: string;
  last4: string;
} {
  const name = mode === 'test' ? 'swb_test_' : 'swb_';
  const secret = `${name}${shard.toString(16).padStart(3, '0')}${randomBase62(29)}`;
  const key = secret + checkDigits(secret);
  return { key, prefix: key.slice(0, name.length + RANDOM_AT), last4: key.slice(-4) };
}

export function isApiKey(value: string): boolean {
  return FORM.test(value) && value.endsWith(checkDigits(value.slice(0, -CHECK_DIGITS)));
}

function checkDigits(secret: string): string {
  return toBase62(crc32(secret), CHECK_DIGITS);
}
