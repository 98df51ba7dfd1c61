import { type MessageWithEvents, toMessage } from '@switchboard/contracts';
import type { Repeat, StoredMessage, TimelineEvent } from '@switchboard/database';

export function toMessageWithEvents(
  message: StoredMessage,
  events: readonly TimelineEvent[],
  repeats: readonly Repeat[],
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
    repeated_as: repeats.map(({ id, status, createdAt }) => ({
      id,
      status,
      created_at: createdAt.toISOString(),
    })),
  };
}
