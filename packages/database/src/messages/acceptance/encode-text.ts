import { countSegments, preferGsm7 } from '@switchboard/core';
import type { AcceptedMessage } from './accepted-message.ts';

/** A text that is sent. */
export interface SentText {
  body: string;
  segments: number;
  /** Null if no character was replaced. */
  encoding: 'prefer_gsm7' | null;
}

/** The text of a message as it is sent if its workspace has set nothing, and if it prefers GSM-7. */
export interface EncodedText {
  text: SentText;
  /** Null: the same text. */
  preferred: SentText | null;
}

export function encodeText(message: AcceptedMessage): EncodedText {
  const { body, segments, media, encoding } = message;
  const given: SentText = { body, segments, encoding: null };
  // A message with media has no segments of characters.
  const plain = encoding === 'as_is' || media.length > 0 ? body : preferGsm7(body);
  if (plain === body) return { text: given, preferred: null };
  const replaced: SentText = {
    body: plain,
    segments: countSegments(plain).segments,
    encoding: 'prefer_gsm7',
  };
  return encoding === 'prefer_gsm7'
    ? { text: replaced, preferred: null }
    : { text: given, preferred: replaced };
}
