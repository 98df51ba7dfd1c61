import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { VendorAccount } from '../accounts/vendor-account.ts';
import type { ConnectionOverrides } from '../callbacks/connection-overrides.ts';
import { createJsonWebhook } from '../callbacks/json-webhook.ts';
import type { Webhook } from '../callbacks/webhook-sender.ts';
import { countSegments } from '../messages/count-segments.ts';
import type { Message, MessageStatus } from '../messages/message.ts';
import { toDeliveryError } from './vonage-error.ts';

/** Vonage retries a webhook for 24 hours; the simulator stops after 15 seconds. */
const DELIVERY: ConnectionOverrides = {
  connectTimeoutMs: 5_000,
  readTimeoutMs: 5_000,
  totalTimeoutMs: 15_000,
  retries: 5,
  retryOn: new Set(['4xx', '5xx', 'ct', 'rt']),
};

const STATUSES: Partial<Record<MessageStatus, string>> = {
  sent: 'submitted',
  delivered: 'delivered',
  undelivered: 'undeliverable',
  failed: 'rejected',
};
const PRICE_OF_PART = 0.0333;

/** Creates the webhook for the current status of a message; null if Vonage sends none. */
export function toVonageWebhook(message: Message, account: VendorAccount): Webhook | null {
  const isInbound = message.direction === 'inbound';
  const url = isInbound ? account.inboundUrl : message.statusCallback;
  if (url === null || url === '') return null;
  const content = isInbound ? formatInbound(message) : formatStatus(message);
  if (content === null) return null;
  return createJsonWebhook(url, content, DELIVERY, (body) => ({
    'user-agent': 'Vonage-Webhooks',
    authorization: `Bearer ${createToken(account, body)}`,
  }));
}

function formatShared({ sid, to, from, mediaUrls, updatedAt }: Message) {
  return {
    channel: mediaUrls.length > 0 ? 'mms' : 'sms',
    message_uuid: sid,
    to: withoutPlus(to),
    from: withoutPlus(from ?? ''),
    timestamp: new Date(updatedAt).toISOString(),
  };
}

function formatStatus(message: Message) {
  const status = STATUSES[message.status];
  if (status === undefined) return null;
  const parts = countSegments(message.body);
  return {
    ...formatShared(message),
    status,
    ...(message.errorCode !== null && { error: toDeliveryError(message.errorCode) }),
    usage: { currency: 'EUR', price: (parts * PRICE_OF_PART).toFixed(4) },
    ...(message.reference !== undefined && { client_ref: message.reference }),
    sms: { count_total: String(parts) },
  };
}

function formatInbound(message: Message) {
  const { body, mediaUrls } = message;
  const [url] = mediaUrls;
  return {
    ...formatShared(message),
    ...(url === undefined
      ? {
          message_type: 'text',
          text: body,
          sms: {
            num_messages: String(countSegments(body)),
            keyword: body.split(/\s/)[0]?.toUpperCase() ?? '',
          },
        }
      : { message_type: 'image', image: { url, caption: body } }),
  };
}

function createToken({ id, secret, groupId }: VendorAccount, body: string): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = {
    iat: Math.floor(Date.now() / 1_000),
    jti: randomUUID(),
    iss: 'Vonage',
    payload_hash: createHash('sha256').update(body).digest('hex'),
    api_key: groupId,
    application_id: id,
  };
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function withoutPlus(address: string): string {
  return address.startsWith('+') ? address.slice(1) : address;
}
