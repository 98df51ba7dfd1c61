import { createHash, createHmac, generateKeyPairSync } from 'node:crypto';
import type { ProviderAccount, WebhookRequest } from '@switchboard/core';
import type { WebhookContent } from './webhook-content.ts';

const KEYS = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** The key pair that all test accounts share, because generating one takes a long time. */
export const VONAGE_KEYS = KEYS;

/** Creates an account, with a secret that signs its webhooks. */
export function createVonageAccount(id: string, signatureSecret: string): ProviderAccount {
  const secret = JSON.stringify({ privateKey: KEYS.privateKey, signatureSecret });
  return { vendorAccountId: id, secret, senderPool: null };
}

export interface SignOptions {
  at?: number;
  claims?: object;
  header?: object;
}

/** Signs a body as Vonage does. */
export function signVonageBody(
  account: ProviderAccount,
  body: string,
  { at = Date.now(), claims = {}, header = {} }: SignOptions = {},
): WebhookRequest {
  const { signatureSecret } = JSON.parse(account.secret) as { signatureSecret: string };
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = [
    encode({ alg: 'HS256', typ: 'JWT', ...header }),
    encode({
      iat: Math.floor(at / 1_000),
      jti: 'c5ba8f24-1a14-4c10-bfdf-3fbe8ce511b5',
      iss: 'Vonage',
      payload_hash: createHash('sha256').update(body).digest('hex'),
      api_key: 'a1b2c3d',
      application_id: account.vendorAccountId,
      ...claims,
    }),
  ].join('.');
  const signature = createHmac('sha256', signatureSecret).update(signed).digest('base64url');
  return {
    url: 'https://x.example/webhook',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${signed}.${signature}`,
    },
    body: Buffer.from(body),
  };
}

/** Signs a webhook as Vonage does. */
export function signVonageWebhook(
  account: ProviderAccount,
  content: WebhookContent,
  at: number,
): WebhookRequest {
  const { kind, sid } = content;
  const shared = { channel: 'sms', message_uuid: sid, timestamp: '2026-11-20T04:33:00.000Z' };
  const fields =
    kind === 'status'
      ? {
          ...shared,
          to: '15551234567',
          from: '15557654321',
          status: content.rawStatus,
          client_ref: content.messageId,
          ...(content.errorCode === undefined ? {} : { error: formatError(content.errorCode) }),
        }
      : {
          ...shared,
          to: content.to.slice(1),
          from: content.from.slice(1),
          message_type: 'text',
          text: content.text,
          sms: { num_messages: '1' },
        };
  return signVonageBody(account, JSON.stringify(fields), { at });
}

/** Formats an error as Vonage does. */
export function formatError(code: string) {
  return {
    type: `https://developer.vonage.com/api-errors/messages#${code}`,
    title: 'No',
    detail: 'It was refused.',
    instance: '9f17a2d7',
  };
}
