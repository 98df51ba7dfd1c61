import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** Creates a secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function createWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** Returns the HMAC key that a secret contains. */
export function readWebhookKey(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
