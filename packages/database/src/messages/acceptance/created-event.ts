import type { WrittenEvent } from '../events/read-events.ts';
import type { AcceptedMessage } from './accepted-message.ts';
import type { SentText } from './encode-text.ts';

/** Returns the event of a message that was just stored, as it would be read. */
export function toCreatedEvent(
  accepted: AcceptedMessage,
  stored: {
    seq: number;
    sender: string | null;
    senderName: string | null;
    sent: SentText;
  },
): WrittenEvent {
  const { id, workspaceId, createdAt, scheduledAt } = accepted;
  const isOfKey = accepted.apiKeyId != null;
  return {
    workspaceId,
    seq: stored.seq,
    previousSeq: null,
    type: scheduledAt === null ? 'created' : 'scheduled',
    traceParent: accepted.traceParent ?? null,
    message: {
      id,
      workspaceId,
      direction: 'outbound',
      to: accepted.to,
      from: stored.sender,
      body: stored.sent.body,
      media: [...accepted.media],
      segments: stored.sent.segments,
      status: scheduledAt === null ? 'queued' : 'scheduled',
      providerSid: null,
      errorCode: null,
      errorDetail: null,
      createdAt,
      updatedAt: createdAt,
      scheduledAt,
      sentAt: null,
      deliveredAt: null,
      providerId: null,
      providerType: null,
      senderKind: isOfKey ? 'api_key' : (accepted.sentBy?.kind ?? null),
      senderId: accepted.apiKeyId ?? accepted.sentBy?.id ?? null,
      senderName: stored.senderName,
      repeatOf: accepted.repeatOf ?? null,
      reference: accepted.reference ?? null,
      metadata: accepted.metadata ?? null,
      encoding: stored.sent.encoding,
    },
  };
}
