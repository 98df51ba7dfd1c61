import { randomUUID } from 'node:crypto';
import { splitOverrides } from './connection-overrides.ts';
import { signRequest } from './sign-request.ts';
import type { Webhook } from './webhook-sender.ts';

/** Creates a Twilio webhook. `url` may have connection overrides in its fragment. */
export function createTwilioWebhook(request: {
  url: string;
  method: 'GET' | 'POST';
  fields: Record<string, string>;
  /** The account's token, which is the key of the signature. */
  token: string;
}): Webhook {
  const { method, fields, token } = request;
  const { url: address, overrides } = splitOverrides(request.url);
  const form = new URLSearchParams(fields).toString();
  const isPost = method === 'POST';
  const url = isPost ? address : `${address}${address.includes('?') ? '&' : '?'}${form}`;
  // All attempts have the same token.
  const idempotencyToken = randomUUID();
  return {
    overrides,
    prepare: () => ({
      method,
      url,
      headers: {
        'user-agent': 'TwilioProxy/1.1',
        accept: '*/*',
        'x-twilio-signature': signRequest(token, url, isPost ? fields : {}),
        'i-twilio-idempotency-token': idempotencyToken,
        ...(isPost && { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }),
      },
      body: isPost ? form : null,
    }),
  };
}
