import { type MessageWithEvents, toMessage } from '@switchboard/contracts';
import type { StoredMessage, TimelineEvent } from '@switchboard/database';

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
