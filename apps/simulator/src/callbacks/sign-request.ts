import { createHmac } from 'node:crypto';

/**
 * Creates Twilio's signature: HMAC-SHA1 over the URL and all form fields, sorted by name.
 * https://www.twilio.com/docs/usage/security#validating-requests
 */
export function signRequest(token: string, url: string, fields: Record<string, string>): string {
  const signed = Object.keys(fields)
    .sort()
    .reduce((text, name) => text + name + (fields[name] ?? ''), url);
  return createHmac('sha1', token).update(signed).digest('base64');
}
