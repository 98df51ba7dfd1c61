import { AppError } from '@switchboard/core';

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

/** Not only digits: future codes may look different. */
const ERROR_CODE = /^\w{1,32}$/;
const MAX_MEDIA = 10;
const LONGEST_MEDIA_URL = 2_048;
const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;
const MAX_SEGMENTS = 1_000;

/** The fields of a webhook, each within its limits. An empty field counts as absent. */
export interface WebhookFields {
  read(name: string): string | null;
  media: readonly { url: string; content_type: string }[];
  /** Null if it is absent or malformed. */
  segments: number | null;
  errorCode: string | null;
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

  const segments = Number(values.get('NumSegments'));
  const isCount = Number.isInteger(segments) && segments >= 1 && segments <= MAX_SEGMENTS;
  const errorCode = read('ErrorCode');
  return {
    read,
    media: readMedia(read),
    segments: isCount ? segments : null,
    errorCode: errorCode !== null && ERROR_CODE.test(errorCode) ? errorCode : null,
  };
}

function readMedia(read: WebhookFields['read']): WebhookFields['media'] {
  const media = [];
  for (let index = 0; index < MAX_MEDIA; index += 1) {
    const url = read(`MediaUrl${index}`);
    if (url === null) break;
    if (url.length > LONGEST_MEDIA_URL) {
      const detail = `\`MediaUrl${index}\` must have at most ${LONGEST_MEDIA_URL} characters`;
      throw new AppError('invalid_params', detail);
    }
    const type = read(`MediaContentType${index}`) ?? '';
    media.push({ url, content_type: toMediaType(type) });
  }
  return media;
}

/** Returns the media type if it is well-formed, otherwise `application/octet-stream`. */
export function toMediaType(type: string): string {
  return MEDIA_TYPE.test(type) ? type : 'application/octet-stream';
}
