import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import type { VendorAccount } from '../accounts/vendor-account.ts';
import type { ConnectionOverrides } from '../callbacks/connection-overrides.ts';
import { createJsonWebhook } from '../callbacks/json-webhook.ts';
import type { Webhook } from '../callbacks/webhook-sender.ts';
import type { Message, MessageStatus } from '../messages/message.ts';
import { formatMessage } from './format-message.ts';

/** Telnyx waits two seconds for a response and makes at most three attempts. */
const DELIVERY: ConnectionOverrides = {
  connectTimeoutMs: 2_000,
  readTimeoutMs: 2_000,
  totalTimeoutMs: 15_000,
  retries: 2,
  retryOn: new Set(['4xx', '5xx', 'ct', 'rt']),
};

const EVENTS: Partial<Record<MessageStatus, string>> = {
  sent: 'message.sent',
  delivered: 'message.finalized',
  undelivered: 'message.finalized',
  failed: 'message.finalized',
  received: 'message.received',
};

/** Creates the webhook for the current status of a message; null if Telnyx sends none. */
export function toTelnyxWebhook(message: Message, account: VendorAccount): Webhook | null {
  const event = EVENTS[message.status];
  const url = message.direction === 'inbound' ? account.inboundUrl : message.statusCallback;
  if (event === undefined || url === null || url === '') return null;
  const content = {
    data: {
      record_type: 'event',
      id: randomUUID(),
      event_type: event,
      occurred_at: new Date(message.updatedAt).toISOString(),
      payload: formatMessage(message, account),
    },
    meta: { attempt: 1, delivered_to: url },
  };
  const key = createPrivateKey(account.privateKey);
  return createJsonWebhook(url, content, DELIVERY, (body) => {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), key).toString('base64');
    return {
      'user-agent': 'telnyx-webhooks',
      'telnyx-timestamp': timestamp,
      'telnyx-signature-ed25519': signature,
    };
  });
}
