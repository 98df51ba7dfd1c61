import type { ProviderAccount, WebhookRequest } from '@switchboard/core';
import {
  type WebhookContent,
  formatGatewayWebhook,
  signGatewayBody,
} from '@switchboard/testing/webhooks';
import { type GatewayConfig, openConfig } from '../../src/http-gateway/config.ts';
import { readCredentials } from '../../src/http-gateway/read-credentials.ts';
import { createStatusToken } from '../../src/http-gateway/signature.ts';

export const SECRET = 'a signing secret';
export const AUTHORIZATION = 'Basic dXNlcjpwYXNzd29yZA==';

/** Describes a gateway with every possible part. */
export const DESCRIPTION = {
  send: {
    method: 'POST',
    url: 'http://127.0.0.1:9/message',
    headers: { Authorization: AUTHORIZATION, 'Content-Type': 'application/json' },
    body: '{"to":"{{to}}","text":"{{body}}","callback":"{{status_url}}","channel":"sms"}',
  },
  accepted: { statuses: [201, 202], id_path: 'id' },
  refused: { statuses: [400, 401, 404, 422], code_path: 'code', detail_path: 'message' },
  status_webhook: {
    id_path: 'id',
    status_path: 'status',
    map: { SENT: 'sent', DELIVERED: 'delivered', FAILED: 'failed' },
  },
  inbound_webhook: { id_path: 'id', from_path: 'from', to_path: 'to', body_path: 'text' },
  signing: { header: 'X-Signature', secret: SECRET, algorithm: 'hmac-sha256' },
} as const;

/** Creates an account whose description differs in some sections. */
export function createGatewayAccount(changes: object = {}): ProviderAccount {
  return readCredentials({ ...DESCRIPTION, ...changes }).account;
}

/** Moves the gateway of an account to another origin. */
export function moveAccount(account: ProviderAccount, origin: string): ProviderAccount {
  const config = openConfig(account);
  const url = config.send.url.replace(/^http:\/\/[^/]*/, origin);
  const moved: GatewayConfig = { ...config, send: { ...config.send, url } };
  return { ...account, secret: JSON.stringify(moved) };
}

/** Signs a webhook as the gateway of `DESCRIPTION` does. The URL of a status is the one that it received. */
export function signGatewayWebhook(
  account: ProviderAccount,
  content: WebhookContent,
): WebhookRequest {
  const body = formatGatewayWebhook(content);
  if (content.kind === 'inbound') return signGatewayBody(account, body);
  const { messageId } = content;
  const token = createStatusToken(openConfig(account).signing?.secret ?? '', messageId);
  const url = `https://x.example/status?message=${messageId}&attempt=1&token=${token}`;
  return signGatewayBody(account, body, url);
}
