import { DISABLED_REASONS } from '@switchboard/core';
import { z } from 'zod';
import { auditEntry } from './audit.ts';
import { message } from './message.ts';
import { optOut } from './opt-out.ts';
import { timestamp } from './timestamp.ts';

const envelope = {
  timestamp: timestamp.describe('When the event happened'),
  workspace_id: z.uuid(),
  sequence: z
    .number()
    .describe(
      'Counts the events for this endpoint without gaps; the same in every attempt and replay',
    ),
};

const providerStatus = z
  .object({
    id: z.uuid(),
    type: z.string(),
    name: z.string(),
    status: z.enum(['ok', 'credentials_refused', 'failing']),
    status_since: timestamp.nullable(),
    status_detail: z.string().nullable(),
  })
  .meta({ id: 'ProviderStatusChange' });

const disabledEndpoint = z
  .object({
    id: z.uuid(),
    url: z.string(),
    description: z.string(),
    disabled_reason: z.enum(DISABLED_REASONS),
  })
  .meta({ id: 'DisabledEndpoint' });

/** The body of a workspace webhook. */
export const webhookEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('message.created'), ...envelope, data: message }),
    z.object({ type: z.literal('message.updated'), ...envelope, data: message }),
    z.object({ type: z.literal('message.received'), ...envelope, data: message }),
    z.object({ type: z.literal('opt_out.created'), ...envelope, data: optOut }),
    z.object({ type: z.literal('opt_out.removed'), ...envelope, data: optOut }),
    z.object({ type: z.literal('provider.status_changed'), ...envelope, data: providerStatus }),
    z.object({ type: z.literal('endpoint.disabled'), ...envelope, data: disabledEndpoint }),
    z.object({ type: z.literal('endpoint.test'), ...envelope, data: z.object({ id: z.uuid() }) }),
    z.object({ type: z.literal('audit_entry.created'), ...envelope, data: auditEntry }),
  ])
  .meta({ id: 'WebhookEvent' });

export type WebhookEvent = z.infer<typeof webhookEvent>;
