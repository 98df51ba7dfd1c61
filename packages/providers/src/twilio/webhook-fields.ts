import { AppError } from '@switchboard/core';

import { MAX_RECEIVED_MEDIA, type ReportedMedia } from '../http/read-media.ts';
import type { FormFields } from './signature.ts';

/** A field that may decide what a webhook is about. */
interface StrictField {
  pattern: RegExp;
  expected: string;
}

const IDENTIFIER: StrictField = {
  pattern: /^[A-Za-z0-9]{1,64}$/,
  expected: 'an identifier of at most 64 letters and digits',
};
/** Phone numbers, and also short codes, names and `whatsapp:+14155550123`. */
const ADDRESS: StrictField = {
  pattern: /^[^\p{Cc}]{1,128}$/u,
  expected: 'an address of at most 128 characters without control characters',
};
const WORD: StrictField = {
  pattern: /^[\w-]{1,32}$/,
  expected: 'a word of at most 32 letters, digits, `_` and `-`',
};

const STRICT: Readonly<Record<string, StrictField>> = {
  MessageSid: IDENTIFIER,
  SmsSid: IDENTIFIER,
  AccountSid: IDENTIFIER,
  From: ADDRESS,
  To: ADDRESS,
  MessageStatus: WORD,
  SmsStatus: WORD,
};

/**
 * Malformed descriptive fields are truncated or dropped, so that the message or the status is still
 * stored.
 */
const LONGEST: Readonly<Record<string, number>> = { ErrorMessage: 1_000 };

/** Twilio's limit. */
const MAX_MEDIA = 10;
const MEDIA_FIELD = /^Media(?:Url|ContentType)(\d{1,2})$/;

/** The fields of a webhook, each within its limits. An empty field counts as absent. */
export interface WebhookFields {
  /**
   * Returns the value of a field that decides what the webhook is about.
   *
   * @throws AppError `invalid_params` if it is malformed, which refuses the whole webhook
   */
  readStrict(name: string): string | null;
  /** Returns the value of any other field; null if it is malformed. */
  read(name: string): string | null;
  media: readonly ReportedMedia[];
}

/** Parses the fields of both webhooks. The first value of a repeated field counts. */
export function parseWebhookFields(fields: FormFields): WebhookFields {
  const values = new Map<string, string>();
  for (const [name, value] of fields) if (!values.has(name)) values.set(name, value);

  const valueOf = (name: string): string | null => values.get(name) || null;

  return {
    readStrict(name) {
      const value = valueOf(name);
      const strict = STRICT[name];
      if (value === null || strict === undefined || strict.pattern.test(value)) return value;
      throw new AppError('invalid_params', `\`${name}\` must be ${strict.expected}`);
    },
    read(name) {
      const value = valueOf(name);
      if (value === null || STRICT[name]?.pattern.test(value) === false) return null;
      return value.slice(0, LONGEST[name]);
    },
    media: listMedia(values),
  };
}

/**
 * Lists the media by their numbers. The numbering may have gaps, and `NumMedia` may be wrong: what either of
 * them names is a file.
 */
function listMedia(values: ReadonlyMap<string, string>): ReportedMedia[] {
  const numbers = [...values.keys()].map((name) => Number(MEDIA_FIELD.exec(name)?.[1] ?? -1));
  const stated = Number(values.get('NumMedia'));
  const expected = Number.isInteger(stated) ? Math.min(stated, MAX_MEDIA) : 0;
  const count = Math.min(MAX_RECEIVED_MEDIA, Math.max(expected, ...numbers.map((n) => n + 1)));
  return Array.from({ length: Math.max(count, 0) }, (_, index) => ({
    url: values.get(`MediaUrl${index}`),
    contentType: values.get(`MediaContentType${index}`),
  }));
}
