import { createHmac, randomUUID } from 'node:crypto';
import type { VendorAccount } from '../accounts/vendor-account.ts';
import type { ConnectionOverrides } from '../callbacks/connection-overrides.ts';
import { createJsonWebhook } from '../callbacks/json-webhook.ts';
import type { Webhook } from '../callbacks/webhook-sender.ts';
import type { Message, MessageStatus } from '../messages/message.ts';
import type { PhoneEvent } from './events.ts';

/** The app retries a webhook for two days; the simulator stops after 15 seconds. */
const DELIVERY: ConnectionOverrides = {
  connectTimeoutMs: 5_000,
  readTimeoutMs: 5_000,
  totalTimeoutMs: 15_000,
  retries: 5,
  retryOn: new Set(['4xx', '5xx', 'ct', 'rt']),
};

const STATUS_EVENTS: Partial<Record<MessageStatus, PhoneEvent>> = {
  received: 'sms:received',
  sent: 'sms:sent',
  delivered: 'sms:delivered',
  undelivered: 'sms:failed',
  failed: 'sms:failed',
};

/** Creates the webhook for the current status of a message; null if the account has none for it. */
export function toPhoneWebhook(message: Message, account: VendorAccount): Webhook | null {
  const event = STATUS_EVENTS[message.status];
  const url = event === undefined ? undefined : account.eventUrls?.[event];
  if (event === undefined || url === undefined) return null;
  const content = {
    deviceId: account.groupId,
    event,
    id: randomUUID(),
    payload: formatPayload(message, event),
    webhookId: randomUUID(),
  };
  return createJsonWebhook(url, content, DELIVERY, (body) => sign(account.privateKey, body));
}

function formatPayload({ sid, to, from, body, updatedAt }: Message, event: PhoneEvent) {
  const shared = { messageId: sid, sender: from, recipient: to, simNumber: 1 };
  const at = new Date(updatedAt).toISOString();
  switch (event) {
    case 'sms:received':
      return { ...shared, message: body, receivedAt: at };
    case 'sms:sent':
      return { ...shared, partsCount: 1, sentAt: at };
    case 'sms:delivered':
      return { ...shared, deliveredAt: at };
    case 'sms:failed':
      return { ...shared, reason: 'RESULT_ERROR_GENERIC_FAILURE', failedAt: at };
  }
}

function sign(key: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', key)
    .update(body + timestamp)
    .digest('hex');
  return { 'x-signature': signature, 'x-timestamp': timestamp };
}
