import type { VendorAccount } from '../accounts/vendor-account.ts';
import { contentTypeOf } from '../messages/content-type-of.ts';
import { countSegments } from '../messages/count-segments.ts';
import type { Message, MessageStatus } from '../messages/message.ts';
import { toDeliveryError } from './telnyx-error.ts';

const STATUSES: Partial<Record<MessageStatus, string>> = {
  undelivered: 'delivery_failed',
  failed: 'sending_failed',
  received: 'webhook_delivered',
};
const COST_OF_PART = 0.004;

/** Formats a message as Telnyx's resource, which Telnyx's webhooks also contain. */
export function formatMessage(message: Message, account: VendorAccount) {
  const { sid, to, from, body, mediaUrls, status, errorCode } = message;
  const isInbound = message.direction === 'inbound';
  const parts = countSegments(body);
  const isSent = message.sentAt !== null;
  const cost = { amount: (parts * COST_OF_PART).toFixed(4), currency: 'USD' };
  return {
    record_type: 'message',
    direction: isInbound ? 'inbound' : 'outbound',
    id: sid,
    type: mediaUrls.length > 0 ? 'MMS' : 'SMS',
    messaging_profile_id: account.groupId,
    organization_id: account.groupId,
    from: { phone_number: from ?? '', carrier: 'SIMULATOR', line_type: 'Wireless' },
    to: [
      {
        phone_number: to,
        status: STATUSES[status] ?? status,
        carrier: 'SIMULATOR',
        line_type: 'Wireless',
      },
    ],
    cc: [],
    text: body,
    subject: null,
    media: mediaUrls.map((url) => ({
      url,
      content_type: contentTypeOf(url),
      sha256: null,
      size: null,
    })),
    webhook_url: isInbound ? account.inboundUrl : message.statusCallback,
    webhook_failover_url: null,
    encoding: 'GSM-7',
    parts,
    tags: [],
    cost: isSent ? cost : null,
    received_at: new Date(message.createdAt).toISOString(),
    sent_at: isSent ? new Date(message.sentAt ?? 0).toISOString() : null,
    completed_at: status === 'delivered' ? new Date(message.updatedAt).toISOString() : null,
    valid_until: null,
    errors: errorCode === null ? [] : [toDeliveryError(errorCode)],
  };
}
