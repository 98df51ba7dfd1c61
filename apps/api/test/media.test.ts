import { once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Fields, sign } from './call-back.ts';
import { type Service, ask, expectRefusal, startService } from './start-service.ts';
import { clientOf } from './workspace-client.ts';

let provider: Server;
let providerUrl: string;
let service: Service;
let workspace: WorkspaceFixture;
/** What the provider answers to a fetch. */
let answer: RequestListener;
let asked: { path: string | undefined; authorization: string | undefined }[];

beforeAll(async () => {
  provider = createServer((request, response) => {
    asked.push({ path: request.url, authorization: request.headers.authorization });
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  service = await startService({ env: { TWILIO_API_URL: providerUrl } });
});
afterAll(async () => {
  await service.close();
  provider.closeAllConnections();
  provider.close();
});
beforeEach(async () => {
  asked = [];
  workspace = await service.addWorkspace();
});

let received = 0;

/** Where Twilio keeps media of the workspace's account. */
const mediaUrl = (item = 1, { origin = providerUrl, accountSid = workspace.accountSid } = {}) =>
  `${origin}/2010-04-01/Accounts/${accountSid}/Messages/MM${'a'.repeat(32)}/Media/ME${String(item).padStart(32, '0')}`;

/** Has a message arrive with that media, and returns the path of its first. */
async function receive(...urls: string[]): Promise<string> {
  received += 1;
  const path = `/api/webhooks/twilio/${workspace.workspaceId}/inbound`;
  const sid = `MM${String(received).padStart(32, '0')}`;
  const fields: Fields = {
    AccountSid: workspace.accountSid,
    MessageSid: sid,
    From: '+15557654321',
    To: workspace.from,
    Body: '',
    NumMedia: String(urls.length),
    ...Object.fromEntries(urls.map((url, at) => [`MediaUrl${at}`, url])),
  };
  const told = await ask(service.url, path, {
    raw: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': sign(workspace.authToken, service.url + path, fields),
    },
  });
  expect(told.status).toBe(200);
  return `/messages/${sid}/media`;
}

const byKey = (path: string) => ask(service.url, `/api${path}`, { token: workspace.apiKey });
const send =
  (body: string, headers: Record<string, string>): RequestListener =>
  (_request, response) =>
    response.writeHead(200, headers).end(body);

describe('received media', () => {
  test('is listed with its type and fetched with the account’s credentials, by key and by session', async () => {
    answer = send('a picture', { 'content-type': 'image/png' });
    const path = await receive(mediaUrl(1), mediaUrl(2));
    const session = clientOf(service, workspace, workspace.sessionToken);
    const credentials = `${workspace.accountSid}:${workspace.authToken}`;
    for (const got of [await byKey(`${path}/1`), await session(`${path}/1`)]) {
      expect([got.status, got.text]).toEqual([200, 'a picture']);
      expect(got.headers.get('content-type')).toBe('image/png');
    }
    expect(asked).toEqual(
      Array.from({ length: 2 }, () => ({
        path: new URL(mediaUrl(2)).pathname,
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      })),
    );
  });

  test.each([
    ['text/html; charset=utf-8', 'application/octet-stream', 'attachment'],
    ['image/svg+xml', 'application/octet-stream', 'attachment'],
    ['text/vcard', 'application/octet-stream', 'attachment'],
    ['', 'application/octet-stream', 'attachment'],
    ['IMAGE/JPEG; q=1', 'image/jpeg', 'inline'],
    ['video/mp4', 'video/mp4', 'inline'],
  ])('of type %j comes as %s, and can never be a page of ours', async (type, shown, how) => {
    answer = send('<script>alert(1)</script>', type === '' ? {} : { 'content-type': type });
    const got = await byKey(`${await receive(mediaUrl())}/0`);
    expect(Object.fromEntries(got.headers)).toMatchObject({
      'content-type': shown,
      'content-disposition': how,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    });
  });

  test('of a megabyte comes whole, byte for byte', async () => {
    const megabyte = Array.from({ length: 1_024 }, (_, at) => String(at).padEnd(1_024, '.')).join(
      '',
    );
    answer = send(megabyte, { 'content-type': 'video/mp4' });
    const got = await byKey(`${await receive(mediaUrl())}/0`);
    expect(got.text).toBe(megabyte);
  });

  test('that Twilio names by its own host is asked for where the operator says that Twilio is', async () => {
    answer = send('a picture', { 'content-type': 'image/png' });
    const path = await receive(mediaUrl(1, { origin: 'https://api.twilio.com' }));
    expect((await byKey(`${path}/0`)).text).toBe('a picture');
    expect(asked[0]?.path).toBe(new URL(mediaUrl()).pathname);
  });
});

describe('nothing is fetched', () => {
  test.each([
    ['another server of this machine', () => `${service.url}/metrics`],
    ['a name of this machine', () => 'https://localhost/'],
    ['the cloud’s metadata', () => 'https://169.254.169.254/latest/meta-data/'],
    ['a file', () => 'file:///etc/passwd'],
  ])('from %s, at first or by a redirect', async (_what, toUrl) => {
    answer = (_request, response) => response.writeHead(302, { location: toUrl() }).end();
    const path = await receive(toUrl(), mediaUrl());
    expectRefusal(await byKey(`${path}/0`), 400, 'invalid_state', 'not fetched');
    expect(asked).toEqual([]);
    expectRefusal(await byKey(`${path}/1`), 400, 'invalid_state', 'not fetched');
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['another path of the provider', () => `${providerUrl}/2010-04-01/Accounts.json`],
    ['another account’s media', () => mediaUrl(1, { accountSid: `AC${'0'.repeat(32)}` })],
    ['a path that only looks like media', () => `${mediaUrl()}/../../../../Calls.json`],
    ['an encoded way out', () => `${mediaUrl()}%2f..%2f..%2fCalls.json`],
    ['media with a query', () => `${mediaUrl()}?PageSize=1`],
    ['Twilio’s host, by another path', () => 'https://api.twilio.com/2010-04-01/Accounts.json'],
  ])('with credentials from %s', async (_what, toUrl) => {
    answer = send('a secret', {});
    const got = await byKey(`${await receive(toUrl())}/0`);
    expectRefusal(got, 400, 'invalid_state', 'not fetched');
    expect(asked).toEqual([]);
  });

  test('above 5 MB', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': String(5 * 1024 * 1024 + 1) }).write('x');
    };
    const path = await receive(mediaUrl());
    expectRefusal(await byKey(`${path}/0`), 400, 'invalid_state', 'larger');
  });

  test('for a message that was sent: its media is the sender’s to hand out', async () => {
    const sent = await ask(service.url, '/api/messages', {
      token: workspace.apiKey,
      json: { to: '+15557654321', body: '', media_urls: ['https://example.com/cat.jpg'] },
    });
    const path = `/messages/${String(sent.json?.['id'])}/media/0`;
    expectRefusal(await byKey(path), 404, 'not_found');
  });

  test.each(['1', '-1', '00', '0x0', 'constructor', 'length', '%00', '99999'])(
    'under the index %s, where there is one item',
    async (index) => {
      const path = await receive(mediaUrl());
      expectRefusal(await byKey(`${path}/${index}`), 404, 'not_found');
      expect(asked).toEqual([]);
    },
  );

  test('for another workspace', async () => {
    const path = await receive(mediaUrl());
    const other = await service.addWorkspace();
    const got = await ask(service.url, `/api${path}/0`, { token: other.apiKey });
    expectRefusal(got, 404, 'not_found');
    expect(asked).toEqual([]);
  });
});

test('what the provider no longer has, or can’t give, is told apart', async () => {
  const path = await receive(mediaUrl());
  answer = (_request, response) => response.writeHead(404).end();
  expectRefusal(await byKey(`${path}/0`), 404, 'not_found');
  answer = (_request, response) => response.writeHead(500).end();
  expectRefusal(await byKey(`${path}/0`), 503, 'service_unavailable');
  answer = (request) => request.socket.destroy();
  expectRefusal(await byKey(`${path}/0`), 503, 'service_unavailable');
});

test('a body that breaks off is never passed on as whole, and the service lives on', async () => {
  answer = (request, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': '1000' });
    response.write('half');
    setTimeout(() => request.socket.destroy(), 50);
  };
  const path = await receive(mediaUrl());
  await expect(byKey(`${path}/0`)).rejects.toThrow();
  expect((await ask(service.url, '/health/live')).status).toBe(200);
});
