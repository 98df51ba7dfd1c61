import { randomBase62 } from './base62.ts';

const FORM = /^sws_[0-9A-Za-z]{43}$/;

/** Creates a token of `sws_` and 43 random base62 characters: 256 bits. */
export function createSessionToken(): string {
  return `sws_${randomBase62(43)}`;
}

/** Creates the token of a session that begins when it is exchanged for a session token, with which it is not interchangeable. */
export function createPendingToken(): string {
  return `swo_${randomBase62(43)}`;
}

export function isSessionToken(value: string): boolean {
  return FORM.test(value);
}
