import { hash } from 'node:crypto';

/**
 * Returns the SHA-256 of a key or token, which is all that the service stores. A plain hash is enough,
 * because keys and tokens are random and too long to guess.
 */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
