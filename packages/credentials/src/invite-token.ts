import { randomBase62 } from './base62.ts';

/** Creates a token of `swi_` and 43 random base62 characters: 256 bits. */
export function createInviteToken(): string {
  return `swi_${randomBase62(43)}`;
}
