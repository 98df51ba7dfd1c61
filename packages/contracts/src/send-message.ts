import { AppError, readMediaReference } from '@switchboard/core';
import { z } from 'zod';
import { parseInstant } from './dates.ts';
import { BODY_MAX_CHARACTERS, MEDIA_URLS_MAX } from './limits.ts';
import { messageStatus } from './message.ts';
import { parseBody } from './parse-request.ts';
import { phoneNumber, sender, textUpTo } from './text.ts';

const MEDIA_URL_MAX_CHARACTERS = 2_048;
const SCHEDULE_MAX_MS = 35 * 86_400_000;
const IDENTIFIER_MAX_CHARACTERS = 100;

const mediaUrl = textUpTo(MEDIA_URL_MAX_CHARACTERS)
  .refine((value) => readMediaReference(value) !== null || isMediaUrl(value), {
    error: 'must be an https URL without credentials, or the `url` of an uploaded file',
  })
  .meta({
    maxLength: MEDIA_URL_MAX_CHARACTERS,
    pattern: '^([hH][tT][tT][pP][sS]://|media:)',
    examples: ['https://example.com/cat.jpg'],
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
    .min(1, 'must have 1 to 10 entries')
    .max(MEDIA_URLS_MAX, 'must have 1 to 10 entries')
    .optional()
    .describe(
      'URLs from which the provider fetches media, and the `url` of uploaded files. The uploaded files have at most 5 MB in total',
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
});

/** The fields of a message with media and no text. */
const fieldsWithoutBody = fields.omit({ body: true });

export const sendMessageRequest = fields.meta({ id: 'SendMessageRequest' });

export const sendMessageAnswer = z
  .object({
    id: z.uuid(),
    sid: z
      .string()
      .describe('The provider’s identifier if it is already known, otherwise the `id`'),
    status: messageStatus,
  })
  .meta({ id: 'SendMessageAnswer' });

export type SendMessageRequest = z.infer<typeof sendMessageRequest>;
export type SendMessageAnswer = z.infer<typeof sendMessageAnswer>;

/**
 * Parses and validates the parts of a send request that need neither the database nor the clock.
 */
export function parseSendMessage(body: unknown): SendMessageRequest {
  const { body: text, media_urls: media } = (body ?? {}) as Record<string, unknown>;
  if (text === '' && Array.isArray(media) && media.length > 0) {
    return { ...parseBody(fieldsWithoutBody, body), body: '' };
  }
  return parseBody(fields, body);
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

function isMediaUrl(value: string): boolean {
  // The URL parser accepts missing slashes and whitespace, but the program that fetches the URL may
  // not.
  if (!/^https:\/\/[^\s\\]+$/i.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.username === '' && url.password === '';
}
