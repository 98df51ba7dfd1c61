import { hash } from 'node:crypto';

/**
 * SHA-256 of a key or token: all we store. A plain hash is enough, because what it hides is random
 * and too long to guess.
 */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
