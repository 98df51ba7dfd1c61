import { expect, test } from 'vitest';
import { respond } from '../fault-server.ts';
import { requirePart } from '../require-part.ts';
import { formatMessage, TWILIO_ACCOUNT as ACCOUNT } from '../twilio-responses.ts';
import { ROOT, adapter, server, useTwilioEnvironment } from './environment.ts';

useTwilioEnvironment();

const SID = `MM${'1'.repeat(32)}`;
const MEDIA = [`ME${'2'.repeat(32)}`, `ME${'3'.repeat(32)}`];
const redact = () => requirePart(adapter, 'redactMessage')(ACCOUNT, SID);

/** Answers as Twilio. `refused`: the status for a method, in place of success. */
function serve(refused: Record<string, number> = {}): void {
  server.onRequest = (received) => {
    const { method } = received;
    const status = refused[method];
    if (status !== undefined) respond(received, status, { code: 20009, message: 'No', status });
    else if (method === 'GET')
      respond(received, 200, { media_list: MEDIA.map((sid) => ({ sid })) });
    else if (method === 'DELETE') respond(received, 204, '');
    else respond(received, 200, formatMessage());
  };
}

test('redactMessage deletes each media item of the message, and then empties its text', async () => {
  serve();
  expect(await redact()).toEqual({ kind: 'redacted' });
  expect(server.requests.slice(1).map(({ method, path, body }) => [method, path, body])).toEqual([
    ...MEDIA.map((sid) => ['DELETE', `${ROOT}/Messages/${SID}/Media/${sid}.json`, '']),
    ['POST', `${ROOT}/Messages/${SID}.json`, 'Body='],
  ]);
});

test('a message or media item that Twilio does not have counts as redacted', async () => {
  serve({ GET: 404 });
  expect(await redact()).toEqual({ kind: 'redacted' });
  serve({ DELETE: 404 });
  expect(await redact()).toEqual({ kind: 'redacted' });
});

test.each<[string, Record<string, number>]>([
  ['the list fails', { GET: 500 }],
  ['a media item stays', { DELETE: 409 }],
  ['the message is not finished', { POST: 400 }],
])('redactMessage is to be repeated if %s', async (_case, refused) => {
  serve(refused);
  expect(await redact()).toMatchObject({
    kind: 'unavailable',
    detail: expect.any(String) as string,
  });
});
