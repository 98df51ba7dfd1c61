import type { DeliveryStore } from '../inbound/delivery-store.ts';
import { countSegments, isGsm7 } from '../messages/count-segments.ts';
import { errorMessageOf } from '../messages/magic-numbers.ts';
import { type Message, providerOf } from '../messages/message.ts';

/** Formats a message as `GET /simulator/events` sends it. */
export function formatPhoneMessage(message: Message, deliveries: Pick<DeliveryStore, 'stateOf'>) {
  const { sid, direction, to, from, prefix = '', mediaUrls, status, errorCode } = message;
  const body = prefix + message.body;
  // An MMS has no segments.
  const isSms = mediaUrls.length === 0;
  return {
    sid,
    provider: providerOf(message),
    account_sid: message.accountSid,
    direction,
    to,
    from,
    body,
    num_media: mediaUrls.length,
    encoding: isSms ? (isGsm7(body) ? 'GSM-7' : 'UCS-2') : null,
    segments: isSms ? countSegments(body) : null,
    status,
    error_code: errorCode,
    error_message: errorMessageOf(errorCode),
    treatment: message.treatment?.treatment ?? 'delivered',
    /** Whether the service received an inbound message. */
    delivery: direction === 'inbound' ? deliveries.stateOf(sid) : null,
    created_at: new Date(message.createdAt).toISOString(),
    updated_at: new Date(message.updatedAt).toISOString(),
  };
}
