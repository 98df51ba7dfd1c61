import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto';
import type { ProviderAccount, WebhookRequest } from '@switchboard/core';
import type { WebhookContent } from './webhook-content.ts';

const privateKeys = new Map<string, KeyObject>();

/** Creates an account with a key pair of its own. */
export function createTelnyxAccount(secret: string): ProviderAccount {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const id = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  privateKeys.set(id, privateKey);
  return { vendorAccountId: id, secret, senderPool: null };
}

/** Signs a body as Telnyx does. */
export function signTelnyxBody(
  account: ProviderAccount,
  body: string,
  at = Date.now(),
): WebhookRequest {
  const key = privateKeys.get(account.vendorAccountId);
  if (key === undefined) throw new Error('The account has no private key.');
  const timestamp = String(Math.floor(at / 1_000));
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), key).toString('base64');
  return {
    url: 'https://x.example/webhook',
    headers: {
      'content-type': 'application/json',
      'telnyx-signature-ed25519': signature,
      'telnyx-timestamp': timestamp,
    },
    body: Buffer.from(body),
  };
}

/** Signs a webhook as Telnyx does. */
export function signTelnyxWebhook(
  account: ProviderAccount,
  content: WebhookContent,
  at: number,
): WebhookRequest {
  const { kind, sid } = content;
  const payload =
    kind === 'status'
      ? {
          direction: 'outbound',
          from: { phone_number: '+15557654321' },
          to: [{ phone_number: '+15551234567', status: content.rawStatus }],
          webhook_url: `https://x.example/status?message=${content.messageId}&attempt=1`,
          errors: content.errorCode === undefined ? [] : [{ code: content.errorCode, title: 'No' }],
        }
      : {
          direction: 'inbound',
          from: { phone_number: content.from },
          to: [{ phone_number: content.to, status: 'webhook_delivered' }],
          text: content.text,
          parts: 1,
          media: [],
        };
  return signTelnyxBody(account, formatTelnyxEvent(kind, { id: sid, ...payload }), at);
}

/** Formats an event as Telnyx sends it. */
export function formatTelnyxEvent(kind: WebhookContent['kind'], payload: object): string {
  const type = kind === 'status' ? 'message.finalized' : 'message.received';
  return JSON.stringify({
    data: {
      record_type: 'event',
      event_type: type,
      payload: { record_type: 'message', ...payload },
    },
    meta: { attempt: 1 },
  });
}
