import type { ConnectionOverrides } from './connection-overrides.ts';
import type { Webhook } from './webhook-sender.ts';

/** Creates a webhook with a JSON body. `sign` creates the headers that sign the body of one attempt. */
export function createJsonWebhook(
  url: string,
  content: object,
  overrides: ConnectionOverrides,
  sign: (body: string) => Record<string, string>,
): Webhook {
  const body = JSON.stringify(content);
  return {
    overrides,
    prepare: () => ({
      method: 'POST',
      url,
      headers: { accept: '*/*', 'content-type': 'application/json', ...sign(body) },
      body,
    }),
  };
}
