import { modeOf } from '@switchboard/core';
import type { Message } from './message.ts';

type WithDates<Fields, Names extends keyof Fields> = {
  [Name in Names]: null extends Fields[Name] ? Date | null : Date;
};

/** A stored message, with the names and types of the service's own code. */
export type MessageRecord = Pick<
  Message,
  'id' | 'direction' | 'to' | 'from' | 'body' | 'status' | 'media' | 'segments'
> & {
  workspaceId: string;
  providerId: string | null;
  providerType: string | null;
  providerSid: Message['provider_sid'];
  errorCode: Message['error_code'];
  errorDetail: Message['error_detail'];
  senderKind: 'user' | 'api_key' | 'opt_out_reply' | 'opt_in_reply' | 'help_reply' | null;
  senderId: string | null;
  senderName: string | null;
  repeatOf: Message['repeat_of'];
  reference: Message['reference'];
  metadata: Message['metadata'] | null;
  encoding: Message['encoding'] | null;
} & WithDates<
    {
      createdAt: Message['created_at'];
      updatedAt: Message['updated_at'];
      scheduledAt: Message['scheduled_at'];
      sentAt: Message['sent_at'];
      deliveredAt: Message['delivered_at'];
    },
    'createdAt' | 'updatedAt' | 'scheduledAt' | 'sentAt' | 'deliveredAt'
  >;

/** The names of keyword replies as senders. */
const KEYWORDS = { opt_out_reply: 'STOP', opt_in_reply: 'START', help_reply: 'HELP' } as const;

/** Converts a stored message to the message of the API. */
export function toMessage(message: MessageRecord): Message {
  const { providerId, providerType } = message;
  return {
    id: message.id,
    direction: message.direction,
    mode: modeOf(message.workspaceId),
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
    provider:
      providerId === null || providerType === null ? null : { id: providerId, type: providerType },
    sent_by: toSender(message),
    repeat_of: message.repeatOf,
    reference: message.reference,
    metadata: message.metadata ?? {},
    encoding: message.encoding ?? 'as_is',
  };
}

function toSender({
  senderKind,
  senderId: id,
  senderName: name,
}: MessageRecord): Message['sent_by'] {
  if (senderKind === null || id === null) return null;
  if (senderKind === 'user' || senderKind === 'api_key') return { type: senderKind, id, name };
  return { type: 'keyword_reply', id, name: KEYWORDS[senderKind] };
}
