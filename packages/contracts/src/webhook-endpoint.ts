import { DISABLED_REASONS, WEBHOOK_EVENT_TYPES } from '@switchboard/core';
import { z } from 'zod';
import { mode } from './mode.ts';
import { overlapSeconds } from './overlap.ts';
import { pageOf } from './page.ts';
import { instant, pagingQuery } from './query.ts';
import { text, textUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

const webhookEventType = z
  .enum(WEBHOOK_EVENT_TYPES, `must be one of ${WEBHOOK_EVENT_TYPES.join(', ')}`)
  .meta({ id: 'WebhookEventType' });

const flag = z.boolean('must be true or false');

const fields = {
  url: text()
    .refine((value) => value.length <= 2_048, { error: 'must have at most 2048 characters' })
    .meta({ maxLength: 2_048, examples: ['https://example.com/webhooks'] })
    .describe('An https URL with a host on the public internet'),
  description: textUpTo(200),
  event_types: z
    .array(webhookEventType, 'must be a list of event types')
    .min(1, 'must name at least one event type; null selects all but audit_entry.created')
    .max(WEBHOOK_EVENT_TYPES.length, 'must not repeat an event type')
    .refine((types) => new Set(types).size === types.length, {
      error: 'must not repeat an event type',
    })
    .nullable()
    .describe('The events to receive; null for all but `audit_entry.created`'),
  enabled: flag,
};

export const addWebhookEndpointRequest = z
  .object({
    url: fields.url,
    description: fields.description.optional(),
    event_types: fields.event_types.optional(),
    enabled: fields.enabled.optional().describe('Defaults to true'),
  })
  .meta({ id: 'AddWebhookEndpointRequest' });

export const changeWebhookEndpointRequest = z
  .object({
    url: fields.url.optional(),
    description: fields.description.optional(),
    event_types: fields.event_types.optional(),
    enabled: fields.enabled
      .optional()
      .describe('An endpoint that is enabled again receives the events that it missed'),
  })
  .meta({ id: 'ChangeWebhookEndpointRequest' });

const endpointFields = z.object({
  id: z.uuid(),
  mode: mode.describe(
    'An endpoint receives the events of its mode: `test` if it was added with a test key or in the test workspace',
  ),
  url: z.string(),
  description: z.string(),
  event_types: z
    .array(webhookEventType)
    .nullable()
    .describe('Null for all but `audit_entry.created`'),
  enabled: z.boolean(),
  disabled_reason: z
    .enum(DISABLED_REASONS)
    .nullable()
    .describe(
      '`user`: by a user or an API key. `gone`: the endpoint responded with 410. `failing`: every attempt failed for five days',
    ),
  failing_since: timestamp
    .nullable()
    .describe('The time since which every attempt has failed; null after a success'),
  last_error: z
    .string()
    .nullable()
    .describe('The error of the latest attempt, while the endpoint is failing'),
  last_success_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const webhookEndpoint = endpointFields.meta({ id: 'WebhookEndpoint' });

const secret = z
  .string()
  .describe(
    'The secret that signs the deliveries, as in Standard Webhooks. It is shown only in this response',
  );

export const createdWebhookEndpoint = endpointFields
  .extend({ secret })
  .meta({ id: 'CreatedWebhookEndpoint' });

export const webhookEndpointList = pageOf(webhookEndpoint).meta({ id: 'WebhookEndpointList' });

export const rotateSecretRequest = z
  .object({
    overlap_seconds: overlapSeconds('How long deliveries carry the signatures of both secrets'),
  })
  .meta({ id: 'RotateSecretRequest' });

export const webhookSecret = z.object({ secret }).meta({ id: 'WebhookSecret' });

export const webhookAttempt = z
  .object({
    at: timestamp,
    status_code: z.number().nullable().describe('Null if there was no complete response'),
    duration_ms: z.number(),
    error: z.string().nullable().describe('Null if the event was delivered'),
    response: z
      .string()
      .nullable()
      .describe(
        'The first 1,024 bytes of the response; null if there was none, or if the first attempt succeeded',
      ),
  })
  .meta({ id: 'WebhookAttempt' });

export const webhookDelivery = z
  .object({
    id: z.uuid(),
    event_id: z.string().describe('The `webhook-id` of every attempt'),
    event_type: webhookEventType,
    message_id: z.uuid().nullable(),
    sequence: z.number().describe('The number of the event for this endpoint'),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.array(webhookAttempt).describe('Oldest first; at most the latest 20'),
    next_attempt_at: timestamp.nullable(),
    event: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The body of the request; null if its message has been deleted'),
  })
  .meta({ id: 'WebhookDelivery' });

export const webhookDeliveryList = pageOf(webhookDelivery).meta({ id: 'WebhookDeliveryList' });

export const deliveriesQuery = pagingQuery.extend({
  status: z
    .enum(['pending', 'delivered', 'failed'], 'must be pending, delivered or failed')
    .optional(),
});

const instantInBody = () => z.string('must be an ISO 8601 date or time').pipe(instant());

export const replayRequest = z
  .object({
    since: instantInBody().describe('Inclusive'),
    until: instantInBody().optional().describe('Exclusive; defaults to now'),
  })
  .meta({ id: 'ReplayRequest' });

export const replayResponse = z
  .object({ events: z.number().describe('How many events are sent again') })
  .meta({ id: 'ReplayAnswer' });

export type WebhookAttempt = z.infer<typeof webhookAttempt>;
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;
export type WebhookDelivery = z.infer<typeof webhookDelivery>;
