import { createHmac, randomUUID } from 'node:crypto';
import type { ProviderAccount, WebhookRequest } from '@switchboard/core';
import type { WebhookContent } from './webhook-content.ts';

/** Creates the account of an HTTP gateway that signs its webhooks with a secret of its own. */
export function createGatewayAccount(): ProviderAccount {
  const description = {
    send: {
      method: 'POST',
      url: 'http://127.0.0.1:9/message',
      headers: { 'content-type': 'application/json' },
      body: '{"to":"{{to}}","text":"{{body}}"}',
    },
    accepted: { statuses: [202], id_path: 'id' },
    refused: null,
    status_webhook: { id_path: 'id', status_path: 'status', map: { delivered: 'delivered' } },
    inbound_webhook: {
      id_path: 'id',
      from_path: 'from',
      to_path: 'to',
      to: null,
      body_path: 'text',
    },
    signing: {
      header: 'x-signature',
      secret: randomUUID(),
      algorithm: 'hmac-sha256',
      timestamp_header: null,
    },
  };
  return {
    vendorAccountId: `http-${randomUUID()}`,
    secret: JSON.stringify(description),
    senderPool: null,
  };
}

/** Signs a body as the gateway of the account does. */
export function signGatewayBody(
  account: ProviderAccount,
  body: string | Buffer,
  url = 'https://x.example/webhook',
): WebhookRequest {
  const { signing } = JSON.parse(account.secret) as { signing: { secret: string } | null };
  const signature = createHmac('sha256', signing?.secret ?? '')
    .update(body)
    .digest('hex');
  return {
    url,
    headers: { 'content-type': 'application/json', 'x-signature': signature },
    body: Buffer.from(body),
  };
}

/** Formats a webhook as the gateway of the account sends it. */
export function formatGatewayWebhook(content: WebhookContent): string {
  const { kind, sid: id } = content;
  return JSON.stringify(
    kind === 'status'
      ? { id, status: content.rawStatus }
      : { id, from: content.from, to: content.to, text: content.text },
  );
}
