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
/** The provider's response to a fetch. */
let respond: RequestListener;
let fetched: { path: string | undefined; authorization: string | undefined }[];

beforeAll(async () => {
  provider = createServer((request, response) => {
    fetched.push({ path: request.url, authorization: request.headers.authorization });
    respond(request, response);
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
  fetched = [];
  workspace = await service.addWorkspace();
});

let received = 0;

/** Returns a Twilio media URL of the workspace's account. */
const mediaUrl = (item = 1, { origin = providerUrl, accountSid = workspace.accountSid } = {}) =>
  `${origin}/2010-04-01/Accounts/${accountSid}/Messages/MM${'a'.repeat(32)}/Media/ME${String(item).padStart(32, '0')}`;

/** Delivers a message with media. Returns the path of its first media item. */
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
  const callback = await ask(service.url, path, {
    raw: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': sign(workspace.authToken, service.url + path, fields),
    },
  });
  expect(callback.status).toBe(200);
  return `/messages/${sid}/media`;
}

const byKey = (path: string) => ask(service.url, `/api${path}`, { token: workspace.apiKey });
const send =
  (body: string, headers: Record<string, string>): RequestListener =>
  (_request, response) =>
    response.writeHead(200, headers).end(body);

describe('received media', () => {
  test('received media are listed with their type and fetched with the account’s credentials, by API key and session', async () => {
    respond = send('a picture', { 'content-type': 'image/png' });
    const path = await receive(mediaUrl(1), mediaUrl(2));
    const session = clientOf(service, workspace, workspace.sessionToken);
    const credentials = `${workspace.accountSid}:${workspace.authToken}`;
    for (const got of [await byKey(`${path}/1`), await session(`${path}/1`)]) {
      expect([got.status, got.text]).toEqual([200, 'a picture']);
      expect(got.headers.get('content-type')).toBe('image/png');
    }
    expect(fetched).toEqual(
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
  ])(
    'received media of type %j are served as %s, and never as a page of our origin',
    async (type, shown, how) => {
      respond = send('<script>alert(1)</script>', type === '' ? {} : { 'content-type': type });
      const got = await byKey(`${await receive(mediaUrl())}/0`);
      expect(Object.fromEntries(got.headers)).toMatchObject({
        'content-type': shown,
        'content-disposition': how,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
      });
    },
  );

  test('received media of a megabyte are served completely', async () => {
    const megabyte = Array.from({ length: 1_024 }, (_, at) => String(at).padEnd(1_024, '.')).join(
      '',
    );
    respond = send(megabyte, { 'content-type': 'video/mp4' });
    const got = await byKey(`${await receive(mediaUrl())}/0`);
    expect(got.text).toBe(megabyte);
  });

  test('a media URL with Twilio’s host is fetched from TWILIO_API_URL', async () => {
    respond = send('a picture', { 'content-type': 'image/png' });
    const path = await receive(mediaUrl(1, { origin: 'https://api.twilio.com' }));
    expect((await byKey(`${path}/0`)).text).toBe('a picture');
    expect(fetched[0]?.path).toBe(new URL(mediaUrl()).pathname);
  });
});

describe('media that must not be fetched', () => {
  test.each([
    ['another server of this machine', () => `${service.url}/metrics`],
    ['a name of this machine', () => 'https://localhost/'],
    ['the cloud’s metadata', () => 'https://169.254.169.254/latest/meta-data/'],
    ['a file', () => 'file:///etc/passwd'],
  ])('media are not fetched from %s, directly or after a redirect', async (what, toUrl) => {
    respond = (_request, response) => response.writeHead(302, { location: toUrl() }).end();
    const path = await receive(toUrl(), mediaUrl());
    const direct = await byKey(`${path}/0`);
    // An address that no provider can mean is not stored.
    if (what === 'a file') expectRefusal(direct, 404, 'not_found', /./);
    else expectRefusal(direct, 400, 'invalid_state', 'could not be fetched');
    expect(fetched).toEqual([]);
    expectRefusal(await byKey(`${path}/1`), 400, 'invalid_state', 'could not be fetched');
    expect(fetched).toHaveLength(1);
  });

  test.each([
    ['another path of the provider', () => `${providerUrl}/2010-04-01/Accounts.json`],
    ['another account’s media', () => mediaUrl(1, { accountSid: `AC${'0'.repeat(32)}` })],
    ['a path that only looks like a media path', () => `${mediaUrl()}/../../../../Calls.json`],
    ['an encoded path outside the media', () => `${mediaUrl()}%2f..%2f..%2fCalls.json`],
    ['media with a query', () => `${mediaUrl()}?PageSize=1`],
    ['Twilio’s host with another path', () => 'https://api.twilio.com/2010-04-01/Accounts.json'],
  ])('media are not fetched with credentials from %s', async (_what, toUrl) => {
    respond = send('a secret', {});
    const got = await byKey(`${await receive(toUrl())}/0`);
    expectRefusal(got, 400, 'invalid_state', 'could not be fetched');
    expect(fetched).toEqual([]);
  });

  test('media above 5 MB are not fetched', async () => {
    respond = (_request, response) => {
      response.writeHead(200, { 'content-length': String(5 * 1024 * 1024 + 1) }).write('x');
    };
    const path = await receive(mediaUrl());
    expectRefusal(await byKey(`${path}/0`), 400, 'invalid_state', 'larger');
  });

  test('media of a sent message are not fetched', async () => {
    const sent = await ask(service.url, '/api/messages', {
      token: workspace.apiKey,
      json: { to: '+15557654321', body: '', media_urls: ['https://example.com/cat.jpg'] },
    });
    const path = `/messages/${String(sent.json?.['id'])}/media/0`;
    expectRefusal(await byKey(path), 404, 'not_found');
  });

  test.each(['1', '-1', '00', '0x0', 'constructor', 'length', '%00', '99999'])(
    'media with the index %s are not fetched if there is one item',
    async (index) => {
      const path = await receive(mediaUrl());
      expectRefusal(await byKey(`${path}/${index}`), 404, 'not_found');
      expect(fetched).toEqual([]);
    },
  );

  test('media of another workspace are not fetched', async () => {
    const path = await receive(mediaUrl());
    const other = await service.addWorkspace();
    const got = await ask(service.url, `/api${path}/0`, { token: other.apiKey });
    expectRefusal(got, 404, 'not_found');
    expect(fetched).toEqual([]);
  });
});

test('media that the provider has deleted and media that it fails to return have different errors', async () => {
  const path = await receive(mediaUrl());
  respond = (_request, response) => response.writeHead(404).end();
  expectRefusal(await byKey(`${path}/0`), 404, 'not_found');
  respond = (_request, response) => response.writeHead(500).end();
  expectRefusal(await byKey(`${path}/0`), 503, 'service_unavailable');
  respond = (request) => request.socket.destroy();
  expectRefusal(await byKey(`${path}/0`), 503, 'service_unavailable');
});

test('an incomplete media body is not served as complete, and the service continues', async () => {
  respond = (request, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': '1000' });
    response.write('half');
    setTimeout(() => request.socket.destroy(), 50);
  };
  const path = await receive(mediaUrl());
  await expect(byKey(`${path}/0`)).rejects.toThrow();
  expect((await ask(service.url, '/health/live')).status).toBe(200);
});
