import { createHmac } from 'node:crypto';
import { askApp } from './ask-app.ts';

/** Sends a webhook that is signed with `key` as Twilio signs it. */
export function sendTwilioWebhook(options: {
  url: string;
  /** Path and query. */
  path: string;
  key: string;
  fields: Readonly<Record<string, string>>;
}) {
  const { url, path, key, fields } = options;
  const signed = Object.entries(fields)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flat()
    .join('');
  const signature = createHmac('sha1', key)
    .update(`http://switchboard.test${path}${signed}`)
    .digest('base64');
  return askApp(url, {
    method: 'POST',
    path,
    raw: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signature,
    },
  });
}
