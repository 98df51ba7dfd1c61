import type { MessageEventType } from '../dispatch/dispatch-row.ts';

/** The types of events that a webhook endpoint can receive. The audit trail is sent only to endpoints that name its type. */
export const WEBHOOK_EVENT_TYPES = [
  'message.created',
  'message.updated',
  'message.received',
  'opt_out.created',
  'opt_out.removed',
  'provider.status_changed',
  'endpoint.disabled',
  'endpoint.test',
  'audit_entry.created',
] as const;

export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Returns the type under which an endpoint receives a visible event of a message. */
export function webhookTypeOf(
  type: MessageEventType,
): 'message.created' | 'message.updated' | 'message.received' {
  if (type === 'received') return 'message.received';
  return type === 'created' || type === 'scheduled' ? 'message.created' : 'message.updated';
}

/** Returns whether an endpoint receives the events of messages of a type. An empty list selects all of them. */
export function receivesType(
  eventTypes: readonly WebhookEventType[],
  type: ReturnType<typeof webhookTypeOf>,
): boolean {
  return eventTypes.length === 0 || eventTypes.includes(type);
}

/** The field that a sealed webhook secret is bound to, in addition to its workspace. */
export const WEBHOOK_SECRET_FIELD = 'webhook_secret';

/** Why the service or a user disabled an endpoint. */
export const DISABLED_REASONS = ['user', 'gone', 'failing'] as const;

export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Batches and finished deliveries are kept, and can be replayed, for this many days. */
export const WEBHOOK_HISTORY_DAYS = 7;
/** A replay sends at most this many events. */
export const REPLAY_MAX_EVENTS = 20_000;
