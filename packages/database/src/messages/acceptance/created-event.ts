import type { WrittenEvent } from '../events/read-events.ts';
import type { EncodedMessage } from './encode-text.ts';

/** Returns the event of a message that was just stored, as it would be read. */
export function toCreatedEvent(
  accepted: EncodedMessage,
  stored: {
    seq: number;
    sender: string | null;
    senderName: string | null;
    isPreferred: boolean;
  },
): WrittenEvent {
  const { id, workspaceId, createdAt, scheduledAt } = accepted;
  const isOfKey = accepted.apiKeyId != null;
  const sent = (stored.isPreferred ? accepted.preferred : null) ?? accepted;
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
      body: sent.body,
      media: [...accepted.media],
      segments: sent.segments,
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
      encoding: stored.isPreferred ? 'prefer_gsm7' : null,
    },
  };
}
