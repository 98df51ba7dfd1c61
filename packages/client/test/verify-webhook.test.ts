import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { WebhookVerificationError, verifyWebhook } from '../src/index.ts';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const BODY = '{"type":"endpoint.test","sequence":1}';

/** Signs with the Standard Webhooks library. */
function sign(at = new Date(), secret = SECRET) {
  return {
    'webhook-id': 'event',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('event', at, BODY),
  };
}

describe('verifyWebhook', () => {
  test('verifyWebhook returns the event of a request that the Standard Webhooks library signed', async () => {
    const headers = sign();
    const expected = { id: 'event', event: { type: 'endpoint.test', sequence: 1 } };
    expect(await verifyWebhook({ headers, body: BODY }, { secret: SECRET })).toEqual(expected);
    const request = { headers: new Headers(headers), body: BODY };
    expect(await verifyWebhook(request, { secret: SECRET })).toEqual(expected);
  });

  test('verifyWebhook accepts a request that was signed with two secrets if it is given either of them', async () => {
    const headers = {
      ...sign(),
      'webhook-signature': `${sign(new Date(), OTHER)['webhook-signature']} ${sign()['webhook-signature']}`,
    };
    for (const secret of [SECRET, OTHER, [OTHER, SECRET]]) {
      expect(await verifyWebhook({ headers, body: BODY }, { secret })).toMatchObject({
        id: 'event',
      });
    }
  });

  test.each([
    ['a changed body', { headers: sign(), body: `${BODY} ` }],
    ['a changed id', { headers: { ...sign(), 'webhook-id': 'x' }, body: BODY }],
    [
      'a signature with the secret of another endpoint',
      { headers: sign(new Date(), OTHER), body: BODY },
    ],
    ['an old timestamp', { headers: sign(new Date(Date.now() - 400_000)), body: BODY }],
    ['a timestamp in the future', { headers: sign(new Date(Date.now() + 400_000)), body: BODY }],
    ['no signature', { headers: { ...sign(), 'webhook-signature': undefined }, body: BODY }],
    [
      'a signature that is not base64',
      { headers: { ...sign(), 'webhook-signature': 'v1,%' }, body: BODY },
    ],
    [
      'a timestamp that is not a number',
      { headers: { ...sign(), 'webhook-timestamp': 'now' }, body: BODY },
    ],
  ])('verifyWebhook refuses a request with %s', async (_what, request) => {
    await expect(verifyWebhook(request, { secret: SECRET })).rejects.toThrow(
      WebhookVerificationError,
    );
  });
});
