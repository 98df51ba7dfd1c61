import type { CarrierClock } from '../carrier-clock.ts';
import { countSegments } from './count-segments.ts';
import { errorMessageOf } from './magic-numbers.ts';
import type { Message } from './message.ts';

/** Formats a message as Twilio's Message resource. */
export function formatMessage(message: Message, clock: Pick<CarrierClock, 'format'>) {
  const body = (message.prefix ?? '') + message.body;
  const path = `/2010-04-01/Accounts/${message.accountSid}/Messages/${message.sid}`;
  return {
    account_sid: message.accountSid,
    api_version: '2010-04-01',
    body,
    date_created: clock.format(message.createdAt),
    date_sent: message.sentAt === null ? null : clock.format(message.sentAt),
    date_updated: clock.format(message.updatedAt),
    direction: message.direction,
    error_code: message.errorCode,
    error_message: errorMessageOf(message.errorCode),
    from: message.from,
    messaging_service_sid: message.messagingServiceSid,
    num_media: String(message.mediaUrls.filter((url) => url !== '').length),
    num_segments: String(countSegments(body)),
    price: null,
    price_unit: 'USD',
    sid: message.sid,
    status: message.status,
    subresource_uris: { media: `${path}/Media.json` },
    to: message.to,
    uri: `${path}.json`,
  };
}
