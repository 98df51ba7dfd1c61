import { randomBase62 } from './base62.ts';

/** What the link with a token is for. */
export type LinkPurpose = 'password_reset' | 'email' | 'sign_in';

const PREFIX: Record<LinkPurpose, string> = { password_reset: 'swr', email: 'swe', sign_in: 'swl' };

/** Creates a token of a prefix and 43 random base62 characters: 256 bits. */
export function createLinkToken(purpose: LinkPurpose): string {
  return `${PREFIX[purpose]}_${randomBase62(43)}`;
}
