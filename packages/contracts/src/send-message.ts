import { AppError, ENCODING_CHOICES, readMediaReference } from '@switchboard/core';
import { z } from 'zod';
import { parseInstant } from './dates.ts';
import { BODY_MAX_CHARACTERS, MEDIA_URLS_MAX } from './limits.ts';
import { messageStatus } from './message.ts';
import { parseBody } from './parse-request.ts';
import { metadata, reference } from './reference.ts';
import { phoneNumber, sender, textUpTo } from './text.ts';

const MEDIA_URL_MAX_CHARACTERS = 2_048;
const SCHEDULE_MAX_MS = 35 * 86_400_000;
const IDENTIFIER_MAX_CHARACTERS = 100;

const mediaUrl = textUpTo(MEDIA_URL_MAX_CHARACTERS)
  .superRefine((value, context) => {
    // The schema of the text reports lone surrogates, which have no encoding.
    if (readMediaReference(value) !== null || !value.isWellFormed()) return;
    const problem = findProblem(value);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({
    maxLength: MEDIA_URL_MAX_CHARACTERS,
    pattern: '^([hH][tT][tT][pP][sS]://|media:)',
    examples: ['https://example.com/cat.jpg'],
  });

/** A component of its own in the API description, because each kind of send has it. */
const encodingChoice = z.enum(ENCODING_CHOICES, 'must be as_is or prefer_gsm7').meta({
  id: 'EncodingChoice',
  description:
    '`prefer_gsm7`: quotes, dashes, spaces and other typographic characters are replaced by plain ones that mean the same, ' +
    'if the text is then in GSM-7, has no more segments and at most 1,600 characters. Letters and emoji are never replaced. ' +
    'A text with a character that has no plain form, or with such a character inside a link, is sent as it is, as is a ' +
    'message with media. Defaults to the `encoding` of the workspace',
});

const fields = z.object({
  to: phoneNumber(),
  body: textUpTo(BODY_MAX_CHARACTERS).describe('May be empty only if the message has media'),
  from: sender()
    .optional()
    .describe(
      'A sender of the workspace. Defaults to the sender that the routing selects, or to the default number; without either, the messaging service chooses one',
    ),
  media_urls: z
    .array(mediaUrl, 'must be a list of URLs')
    .max(MEDIA_URLS_MAX, `must have at most ${MEDIA_URLS_MAX} entries`)
    .optional()
    .describe(
      'URLs from which the provider fetches media, and the `url` of uploaded files. The uploaded files have at most 5 MB in total. An empty list counts as absent',
    ),
  scheduled_at: textUpTo(64)
    .refine((value) => parseInstant(value)?.hasOffset === true, {
      error: 'must be an ISO 8601 time with an offset, such as 2030-01-31T09:00:00Z',
    })
    .optional()
    .describe('A time with an offset, in the future, at most 35 days ahead'),
  repeat_of: textUpTo(IDENTIFIER_MAX_CHARACTERS)
    .optional()
    .describe('The id or the `sid` of the outbound message that this one repeats')
    .meta({ examples: ['01a1f7b3-89b6-7000-bd3d-4fb81d1bee36'] }),
  reference: reference()
    .optional()
    .describe('What the message is about in your system; a filter of the message list'),
  metadata: metadata.optional(),
  encoding: encodingChoice.optional(),
});

/** The fields of a message with media and no text. */
const fieldsWithoutBody = fields.omit({ body: true });

export const sendMessageRequest = fields.meta({ id: 'SendMessageRequest' });

export const sendMessageResponse = z
  .object({
    id: z.uuid(),
    sid: z
      .string()
      .describe('The provider’s identifier if it is already known, otherwise the `id`'),
    status: messageStatus,
  })
  .meta({ id: 'SendMessageAnswer' });

export type SendMessageRequest = z.infer<typeof sendMessageRequest>;
export type SendMessageResponse = z.infer<typeof sendMessageResponse>;

/**
 * Parses and validates the parts of a send request that need neither the database nor the clock.
 */
export function parseSendMessage(body: unknown): SendMessageRequest {
  const { body: text, media_urls: media } = (body ?? {}) as Record<string, unknown>;
  const hasMedia = Array.isArray(media) && media.length > 0;
  const parsed =
    text === '' && hasMedia
      ? { ...parseBody(fieldsWithoutBody, body), body: '' }
      : parseBody(fields, body);
  const { media_urls: urls, metadata: pairs = {}, ...request } = parsed;
  return {
    ...request,
    ...(hasMedia && { media_urls: urls }),
    ...(Object.keys(pairs).length > 0 && { metadata: pairs }),
  };
}

/**
 * Parses the time for which a message is scheduled: in the future, at most 35 days ahead. Separate
 * from the other checks, because a replayed request may arrive after that time.
 */
export function parseScheduledAt(value: string | undefined, nowMs: number): Date | null {
  if (value === undefined) return null;
  const ms = parseInstant(value)?.ms ?? Number.NaN;
  if (!(ms > nowMs && ms <= nowMs + SCHEDULE_MAX_MS)) {
    throw new AppError(
      'invalid_params',
      '`scheduled_at` must be in the future, at most 35 days ahead',
    );
  }
  return new Date(ms);
}

/** The URL parser accepts them, but the program that fetches the URL may not. */
const NOT_IN_URLS = /[\s\p{Cc}\\]/u;

/** Returns what is wrong with the URL of media; null if nothing is. */
function findProblem(value: string): string | null {
  if (!/^https:\/\//iu.test(value)) {
    return 'must be an https URL, or the `url` of an uploaded file';
  }
  const [character] = NOT_IN_URLS.exec(value) ?? [];
  if (character !== undefined) {
    const shown = character === '\\' ? 'a backslash' : 'white space or a control character';
    return `must not contain ${shown}: percent-encode it as ${encodeURIComponent(character)}`;
  }
  if (!URL.canParse(value)) return 'must be an https URL with a host';
  const { username, password } = new URL(value);
  return username === '' && password === '' ? null : 'must not contain a user name or a password';
}
