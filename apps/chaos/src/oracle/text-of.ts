import type { LedgerLine } from '@switchboard/testing';

/** Returns the text that an account sends to a recipient. Only equal messages have equal texts. */
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
