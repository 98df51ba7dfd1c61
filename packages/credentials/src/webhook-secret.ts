import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** Creates a secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function createWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** Returns the key that the signatures of a secret are made with. */
export function readWebhookKey(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
