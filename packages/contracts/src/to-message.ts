import type { Message } from './message.ts';

type WithDates<Fields, Names extends keyof Fields> = {
  [Name in Names]: null extends Fields[Name] ? Date | null : Date;
};

/** A stored message, with the names and types of the service's own code. */
export type MessageRecord = Pick<
  Message,
  'id' | 'direction' | 'to' | 'from' | 'body' | 'status' | 'media' | 'segments' | 'provider'
> & {
  providerSid: Message['provider_sid'];
  errorCode: Message['error_code'];
  errorDetail: Message['error_detail'];
  sentBy: Message['sent_by'];
  repeatOf: Message['repeat_of'];
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

/** Converts a stored message to the message of the API. */
export function toMessage(message: MessageRecord): Message {
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
    provider: message.provider,
    sent_by: message.sentBy,
    repeat_of: message.repeatOf,
  };
}
