import { countSegments, preferGsm7 } from '@switchboard/core';
import type { AcceptedMessage } from './accepted-message.ts';

/** A text that is sent. */
export interface SentText {
  body: string;
  segments: number;
}

/** A message with its text as it is sent if GSM-7 is preferred. */
export interface EncodedMessage extends AcceptedMessage {
  /** Null: the same text. */
  preferred: SentText | null;
}

/**
 * Creates the function that encodes the text of each message. It keeps the last result, because one text often goes to
 * many recipients.
 */
export function createEncodeText() {
  let last: { body: string; preferred: SentText | null } = { body: '', preferred: null };

  return function encodeText(message: AcceptedMessage): EncodedMessage {
    const { body, media, encoding } = message;
    // A message with media has no segments of characters.
    if (encoding === 'as_is' || media.length > 0) return { ...message, preferred: null };
    if (last.body !== body) last = { body, preferred: preferredText(body) };
    return { ...message, preferred: last.preferred };
  };
}

function preferredText(given: string): SentText | null {
  const body = preferGsm7(given);
  return body === given ? null : { body, segments: countSegments(body).segments };
}
