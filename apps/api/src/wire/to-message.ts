import type { Message, MessageWithEvents } from '@switchboard/contracts';
import type { StoredMessage, TimelineEvent } from '@switchboard/database';

/** Converts a stored message to the message of the API. */
export function toMessage(message: StoredMessage): Message {
  return {
    id: message.id,
    direction: message.direction,
    to: message.to,
    from: message.from,
    body: message.body,
    status: message.status,
    provider_sid: message.providerSid,
    created_at: message.createdAt.toISOString(),
    error_code: message.errorCode,
    error_detail: message.errorDetail,
    media: message.media,
    segments: message.segments,
    updated_at: message.updatedAt.toISOString(),
    scheduled_at: message.scheduledAt?.toISOString() ?? null,
    sent_at: message.sentAt?.toISOString() ?? null,
    delivered_at: message.deliveredAt?.toISOString() ?? null,
    sent_by: message.sentBy,
  };
}

export function toMessageWithEvents(
  message: StoredMessage,
  events: readonly TimelineEvent[],
): MessageWithEvents {
  return {
    ...toMessage(message),
    events: events.map(({ id, type, status, at, detail }) => ({
      id,
      type,
      status,
      at: at.toISOString(),
      detail,
    })),
  };
}
