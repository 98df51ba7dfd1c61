import { AppError } from '@switchboard/core';

import type { ReportedMedia } from '../http/read-media.ts';
import type { FormFields } from './signature.ts';

/** A field that decides what a webhook is about. A malformed value refuses the whole webhook. */
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
  OptOutType: WORD,
};

/**
 * Malformed descriptive fields are truncated or dropped, so that the message or the status is still
 * stored.
 */
const LONGEST: Readonly<Record<string, number>> = { ErrorMessage: 1_000 };

const MEDIA_FIELD = /^Media(?:Url|ContentType)(\d{1,2})$/;
/** Twilio's limit. */
const MAX_MEDIA = 10;

/** The fields of a webhook, each within its limits. An empty field counts as absent. */
export interface WebhookFields {
  read(name: string): string | null;
  media: readonly ReportedMedia[];
}

/**
 * Parses the fields of both webhooks. The first value of a repeated field counts.
 *
 * @throws AppError `invalid_params` for a field that decides what the webhook is about
 */
export function parseWebhookFields(fields: FormFields): WebhookFields {
  const values = new Map<string, string>();
  for (const [name, value] of fields) if (!values.has(name)) values.set(name, value);

  function read(name: string): string | null {
    const value = values.get(name) ?? '';
    if (value === '') return null;
    const strict = STRICT[name];
    if (strict !== undefined && !strict.pattern.test(value)) {
      throw new AppError('invalid_params', `\`${name}\` must be ${strict.expected}`);
    }
    return value.slice(0, LONGEST[name]);
  }

  return { read, media: listMedia(values) };
}

/**
 * Lists the media by their numbers. The numbering may have gaps, and `NumMedia` may be wrong: what either of
 * them names is a file.
 */
function listMedia(values: ReadonlyMap<string, string>): ReportedMedia[] {
  const numbers = [...values.keys()].map((name) => Number(MEDIA_FIELD.exec(name)?.[1] ?? -1));
  const stated = Number(values.get('NumMedia'));
  const count = Math.min(
    MAX_MEDIA,
    Math.max(Number.isInteger(stated) ? stated : 0, ...numbers.map((n) => n + 1)),
  );
  return Array.from({ length: Math.max(count, 0) }, (_, index) => ({
    url: values.get(`MediaUrl${index}`),
    contentType: values.get(`MediaContentType${index}`),
  }));
}
