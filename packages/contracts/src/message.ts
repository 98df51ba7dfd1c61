import { ENCODING_CHOICES, MESSAGE_STATUSES } from '@switchboard/core';
import { z } from 'zod';
import { EVENTS_SHOWN, REPEATS_SHOWN } from './limits.ts';
import { mode } from './mode.ts';
import { timestamp } from './timestamp.ts';

export const messageStatus = z
  .enum(MESSAGE_STATUSES)
  .meta({ id: 'MessageStatus', description: 'Only moves forward, in the order of delivery' });
export const direction = z.enum(['inbound', 'outbound']);

const fields = z.object({
  id: z
    .uuid()
    .describe('The service’s identifier: set when the message is stored, and never changed'),
  direction,
  mode,
  to: z.string(),
  from: z.string().nullable().describe('Null until the messaging service has chosen a sender'),
  body: z.string(),
  status: messageStatus,
  provider_sid: z
    .string()
    .nullable()
    .describe('The provider’s identifier: null until the provider has accepted the message'),
  created_at: timestamp,
  error_code: z
    .string()
    .nullable()
    .describe(
      'The provider’s code, or one of the service’s own: `outcome_unknown`, `provider_unreachable`, `recipient_opted_out`, `media_not_supported`, `no_sender`, `text_not_in_charset`',
    ),
  error_detail: z
    .string()
    .nullable()
    .describe('The words of the error. A provider may report words without a code'),
  media: z
    .array(z.object({ url: z.string(), content_type: z.string().nullable() }))
    .describe(
      'A `url` that begins with `media:` stands for an uploaded file; the `url` of a received file is the provider’s. ' +
        '`GET …/messages/{messageId}/media/{index}` returns either file. The `url` of a received file for which ' +
        'the provider gave no usable URL is `media:unreadable`: no request returns it. Of a received message, the ' +
        'first 50 files are stored',
    ),
  segments: z.number(),
  updated_at: timestamp,
  scheduled_at: timestamp.nullable(),
  sent_at: timestamp.nullable(),
  delivered_at: timestamp.nullable(),
  provider: z
    .object({ id: z.uuid(), type: z.string() })
    .nullable()
    .describe(
      'The provider account of the latest attempt or, for an inbound message, the account that received it. Null before the first attempt, and if the account was removed. In an event, the account at the event',
    ),
  sent_by: z
    .object({
      type: z.enum(['user', 'api_key', 'keyword_reply']),
      id: z
        .uuid()
        .describe('The user, the API key, or the inbound message that caused a keyword reply'),
      name: z
        .string()
        .nullable()
        .describe(
          'The name of the user or the key when it sent the message; STOP, START or HELP for a keyword reply',
        ),
    })
    .nullable()
    .describe(
      'Who sent the message; null for an inbound message and for a message without a recorded sender',
    ),
  repeat_of: z
    .uuid()
    .nullable()
    .describe(
      'The original message, if this one was sent to repeat it. It may have been deleted since',
    ),
  reference: z.string().nullable().describe('The `reference` of the send'),
  metadata: z
    .record(z.string(), z.string())
    .describe('The `metadata` of the send; empty if it had none'),
  encoding: z
    .enum(ENCODING_CHOICES)
    .describe(
      'The `encoding` of the send or, without one, of the workspace at that time. `body` is the text that is sent',
    ),
});

/** A message as the API returns it. */
export const message = fields.meta({ id: 'Message' });

export const messageEvent = z
  .object({
    id: z.uuid(),
    type: z.enum([
      'created',
      'scheduled',
      'attempt_started',
      'attempt_failed',
      'outcome_unknown',
      'provider_accepted',
      'provider_rejected',
      'status_changed',
      'canceled',
      'received',
    ]),
    status: messageStatus,
    at: timestamp,
    detail: z.string().nullable(),
  })
  .meta({ id: 'MessageEvent' });

export const foundMessages = z
  .object({
    data: z.array(message),
    next: z
      .uuid()
      .nullable()
      .describe('The value of `after` for the next page; null at the end of the history'),
  })
  .meta({ id: 'FoundMessages' });

export const messageWithEvents = fields
  .extend({
    events: z.array(messageEvent).describe(`Oldest first; at most the latest ${EVENTS_SHOWN}`),
    repeated_as: z
      .array(z.object({ id: z.uuid(), status: messageStatus, created_at: timestamp }))
      .max(REPEATS_SHOWN)
      .describe(`The messages that repeat this one, newest first, at most ${REPEATS_SHOWN}`),
  })
  .meta({ id: 'MessageWithEvents' });

export const messageList = z
  .object({
    messages: z.array(message).describe('Newest first'),
    pagination: z.object({
      currentPage: z.number(),
      totalPages: z.number(),
      totalMessages: z.number(),
      hasNext: z.boolean(),
    }),
  })
  .meta({ id: 'MessageList' });

export type Message = z.infer<typeof message>;
export type MessageEvent = z.infer<typeof messageEvent>;
export type MessageWithEvents = z.infer<typeof messageWithEvents>;
export type FoundMessages = z.infer<typeof foundMessages>;
export type MessageList = z.infer<typeof messageList>;
