import { MESSAGE_STATUSES } from '@switchboard/core';
import { z } from 'zod';

const timestamp = z.iso.datetime({ precision: 3 });

export const messageStatus = z.enum(MESSAGE_STATUSES);
export const direction = z.enum(['inbound', 'outbound']);

/** The specification's Message with what API.md adds. */
export const message = z.object({
  id: z.uuid(),
  direction,
  to: z.string(),
  from: z.string().nullable(),
  body: z.string(),
  status: messageStatus,
  provider_sid: z.string().nullable(),
  created_at: timestamp,
  error_code: z.string().nullable(),
  error_detail: z.string().nullable(),
  media: z.array(z.object({ url: z.string(), content_type: z.string().nullable() })),
  segments: z.number(),
  updated_at: timestamp,
  scheduled_at: timestamp.nullable(),
  sent_at: timestamp.nullable(),
  delivered_at: timestamp.nullable(),
});

export const messageEvent = z.object({
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
});

export const messageWithEvents = message.extend({ events: z.array(messageEvent) });

export const messageList = z.object({
  messages: z.array(message),
  pagination: z.object({
    currentPage: z.number(),
    totalPages: z.number(),
    totalMessages: z.number(),
    hasNext: z.boolean(),
  }),
});

export type Message = z.infer<typeof message>;
export type MessageEvent = z.infer<typeof messageEvent>;
export type MessageWithEvents = z.infer<typeof messageWithEvents>;
export type MessageList = z.infer<typeof messageList>;
