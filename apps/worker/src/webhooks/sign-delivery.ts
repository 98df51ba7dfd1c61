import { createHmac } from 'node:crypto';

export interface SignedContent {
  /** The id of the event. */
  id: string;
  /** The time of the attempt, in Unix milliseconds. */
  at: number;
  body: string;
}

/**
 * Returns the headers of Standard Webhooks 1.0. During a rotation of the secret there are two keys, and
 * the header has a signature of each.
 *
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signDelivery(
  { id, at, body }: SignedContent,
  keys: readonly Buffer[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = keys.map((key) => {
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return `v1,${digest}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
