import type { LedgerLine } from '../carrier.ts';

/** What an account sends to a recipient, by which it can be told from all others but its equals. */
export function textOf(
  account: string,
  to: string,
  body: string,
  mediaUrls: readonly string[],
): string {
  return JSON.stringify([account, to, body, mediaUrls.toSorted()]);
}

export function lineKeyOf(line: LedgerLine): string {
  return textOf(line.account_sid, line.to, line.body, line.media_urls);
}
