import { randomBytes } from 'node:crypto';
import { hashToken } from './hash-token.ts';

/** Crockford's base32: what people confuse stands for the same character. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARACTERS = 16;
const COUNT = 10;

/** Creates ten codes of 80 random bits, such as `7k2m-q9fx-4tbd-h0wz`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const characters = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET.charAt(byte & 31));
    return characters.join('').replaceAll(/.{4}(?=.)/g, '$&-');
  });
}

/**
 * Returns the hash of a code, which is all that the service stores. A plain hash is enough, because a code is too long to
 * guess. Case, spaces and dashes do not matter, and `o`, `i` and `l` are read as digits.
 */
export function hashRecoveryCode(code: string): Buffer {
  const plain = code
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');
  return hashToken(plain);
}
