import { once } from 'node:events';
import type { MediaOutcome } from '@switchboard/core';
import { afterEach, describe, expect, test } from 'vitest';
import { type CheckedFetchOptions, createCheckedFetch } from '../src/http/fetch-checked.ts';
import type { Address } from '../src/http/look-up-name.ts';
import {
  type FaultServer,
  LOCALHOST_CERTIFICATE,
  type ReceivedRequest,
  respond,
  formatResponse,
  startFaultServer,
} from './fault-server.ts';

const servers: FaultServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

type Handler = (request: ReceivedRequest) => void;

async function start(handler: Handler, tls = false): Promise<FaultServer> {
  const server = await startFaultServer(handler, { tls });
  servers.push(server);
  return server;
}

const LOCAL: Address[] = [{ address: '127.0.0.1', family: 4 }];
const AUTHORIZATION = 'Basic c2VjcmV0';

/** Creates a fetcher. Trusts no origin by default; `allowsLocal` allows loopback addresses. */
function fetcher({
  trustedOrigin,
  ...options
}: Partial<CheckedFetchOptions> & { trustedOrigin?: string } = {}) {
  const fetchChecked = createCheckedFetch({
    timeoutMs: 20_000,
    maxBytes: 1_000,
    lookup: async () => LOCAL,
    ca: LOCALHOST_CERTIFICATE,
    ...options,
  });
  return (url: string, authorization: string) =>
    fetchChecked(url, { authorization, isTrusted: ({ origin }) => origin === trustedOrigin });
}

const allowsLocal = (address: string) => address === '127.0.0.1';

async function readBody(outcome: MediaOutcome): Promise<string> {
  if (outcome.kind !== 'found') throw new Error(JSON.stringify(outcome));
  const chunks: Uint8Array[] = [];
  for await (const chunk of outcome.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const picture: Handler = (request) =>
  respond(request, 200, 'a picture', { 'content-type': 'image/png' });

describe('the provider’s own origin', () => {
  test('a trusted origin receives the credentials, even at a private address', async () => {
    const provider = await start(picture);
    const fetch = fetcher({ trustedOrigin: provider.url });
    const outcome = await fetch(`${provider.url}/media/1?a=b`, AUTHORIZATION);
    expect(outcome).toMatchObject({ kind: 'found', contentType: 'image/png', contentLength: 9 });
    expect(await readBody(outcome)).toBe('a picture');
    expect(provider.requests[0]?.path).toBe('/media/1?a=b');
    expect(provider.requests[0]?.headers.get('authorization')).toBe(AUTHORIZATION);
  });

  test('a host that a trusted origin redirects to receives no credentials', async () => {
    const cdn = await start(picture, true);
    const provider = await start((request) =>
      respond(request, 307, '', { location: `${cdn.url}/stored` }),
    );
    const fetch = fetcher({ trustedOrigin: provider.url, isAllowed: allowsLocal });
    expect(await readBody(await fetch(`${provider.url}/media/1`, AUTHORIZATION))).toBe('a picture');
    expect(cdn.requests.map(({ path, headers }) => [path, headers.has('authorization')])).toEqual([
      ['/stored', false],
    ]);
  });

  test('a redirect back to a trusted origin is checked again and receives no credentials', async () => {
    const provider = await start(picture);
    const stranger = await start(
      (request) => respond(request, 302, '', { location: `${provider.url}/private` }),
      true,
    );
    provider.onRequest = (request) => respond(request, 302, '', { location: stranger.url });
    const fetch = fetcher({ trustedOrigin: provider.url, isAllowed: allowsLocal });
    expect(await fetch(`${provider.url}/start`, AUTHORIZATION)).toEqual({
      kind: 'refused',
      detail: 'Only https URLs are fetched',
    });
    expect(provider.requests).toHaveLength(1);
  });
});

describe('private addresses', () => {
  test.each([
    ['the loopback address', (port: string) => `https://127.0.0.1:${port}/`],
    ['the loopback address as a number', (port: string) => `https://2130706433:${port}/`],
    ['the loopback address in hexadecimal', (port: string) => `https://0x7f.1:${port}/`],
    ['the IPv6 loopback address', (port: string) => `https://[::1]:${port}/`],
    ['the mapped loopback address', (port: string) => `https://[::ffff:127.0.0.1]:${port}/`],
    [
      'a name that resolves to the loopback address',
      (port: string) => `https://localhost:${port}/`,
    ],
    ['plain http', (port: string) => `http://localhost:${port}/`],
    ['a URL with credentials', (port: string) => `https://me:secret@localhost:${port}/`],
    ['a file URL', () => 'file:///etc/passwd'],
    ['a malformed URL', () => 'https://'],
  ])(
    'no private address is reached through %s, neither directly nor by a redirect',
    async (_what, toUrl) => {
      const own = await start(picture, true);
      const url = toUrl(new URL(own.url).port);
      expect(await fetcher()(url, AUTHORIZATION)).toMatchObject({ kind: 'refused' });

      const provider = await start((request) => respond(request, 302, '', { location: url }));
      const fetchRedirected = fetcher({ trustedOrigin: provider.url });
      const outcome = await fetchRedirected(`${provider.url}/media`, AUTHORIZATION);
      expect(outcome).toMatchObject({ kind: 'refused' });
      expect(own.connections).toBe(0);
    },
  );

  test('a name with one private address among several is refused', async () => {
    const lookup = async () => [{ address: '8.8.8.8', family: 4 }, ...LOCAL];
    expect(await fetcher({ lookup })('https://localhost/', AUTHORIZATION)).toMatchObject({
      kind: 'refused',
    });
  });

  test('a name that changes after the check is not resolved again: the connection uses the checked address', async () => {
    const stranger = await start(picture, true);
    const lookedUp: string[] = [];
    const lookup = async (name: string) => {
      lookedUp.push(name);
      return lookedUp.length === 1 ? LOCAL : [{ address: '127.0.0.2', family: 4 }];
    };
    const fetch = fetcher({ lookup, isAllowed: allowsLocal });
    expect(await readBody(await fetch(stranger.url, AUTHORIZATION))).toBe('a picture');
    expect(lookedUp).toEqual(['localhost']);
    // The next fetch resolves the name again and is refused.
    expect(await fetch(stranger.url, AUTHORIZATION)).toMatchObject({ kind: 'refused' });
    expect(stranger.connections).toBe(1);
  });
});

test('a connection uses the checked address instead of the system resolver', async () => {
  // To the system, `localhost` is this machine; the check received another address.
  const own = await start(picture, true);
  const fetch = fetcher({
    lookup: async () => [{ address: '127.0.0.2', family: 4 }],
    isAllowed: (address) => address === '127.0.0.2',
  });
  expect(await fetch(own.url, AUTHORIZATION)).toMatchObject({ kind: 'unavailable' });
  expect(own.connections).toBe(0);
});

describe('limits', () => {
  test('three redirects are followed, a fourth is not', async () => {
    const provider = await start((request) => {
      const left = Number(request.path.slice(1));
      if (left === 0) picture(request);
      else respond(request, 302, '', { location: `/${left - 1}` });
    });
    const fetch = fetcher({ trustedOrigin: provider.url });
    expect(await readBody(await fetch(`${provider.url}/3`, AUTHORIZATION))).toBe('a picture');
    expect(await fetch(`${provider.url}/4`, AUTHORIZATION)).toMatchObject({ kind: 'refused' });
    expect(provider.requests).toHaveLength(4 + 4);
  });

  test('a body whose Content-Length is too large is refused without reading it', async () => {
    const provider = await start((request) => {
      request.socket.write(formatResponse(200, '', {}, 1_001));
    });
    const fetch = fetcher({ trustedOrigin: provider.url });
    expect(await fetch(`${provider.url}/`, AUTHORIZATION)).toEqual({
      kind: 'refused',
      detail: 'The file is larger than 1000 bytes',
    });
  });

  test('a body that grows too large fails, and its connection is closed', async () => {
    const provider = await start(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n');
      const drip = setInterval(() => socket.write('x'.repeat(400)), 5);
      socket.on('close', () => clearInterval(drip));
    });
    const fetch = fetcher({ trustedOrigin: provider.url });
    const outcome = await fetch(`${provider.url}/`, AUTHORIZATION);
    const closed = once(provider.requests[0]?.socket ?? process, 'close');
    await expect(readBody(outcome)).rejects.toThrow('larger than 1000 bytes');
    await closed;
  });

  test('a body of exactly the maximum size is read completely', async () => {
    const provider = await start((request) => respond(request, 200, 'x'.repeat(1_000)));
    const fetch = fetcher({ trustedOrigin: provider.url });
    expect(await readBody(await fetch(`${provider.url}/`, AUTHORIZATION))).toHaveLength(1_000);
  });

  test.each([
    ['nothing', () => undefined],
    [
      'only half of the headers',
      ({ socket }: ReceivedRequest) => void socket.write('HTTP/1.1 200 OK\r\n'),
    ],
  ])('the fetch fails when %s arrives before the timeout', async (_what, handler) => {
    const provider = await start(handler);
    const fetch = fetcher({ trustedOrigin: provider.url, timeoutMs: 200 });
    expect(await fetch(`${provider.url}/`, AUTHORIZATION)).toEqual({
      kind: 'unavailable',
      detail: 'No response within 200 ms',
    });
  });

  test('a body that takes longer than the timeout fails', async () => {
    const provider = await start(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    const fetch = fetcher({ trustedOrigin: provider.url, timeoutMs: 300 });
    await expect(readBody(await fetch(`${provider.url}/`, AUTHORIZATION))).rejects.toThrow();
  });

  test('the timeout covers a DNS lookup that hangs', async () => {
    const lookup = () => new Promise<Address[]>(() => undefined);
    const fetch = fetcher({ lookup, timeoutMs: 100 });
    expect(await fetch('https://localhost/', AUTHORIZATION)).toMatchObject({
      kind: 'unavailable',
    });
  });
});

describe('responses without media', () => {
  test.each([
    [404, 'missing'],
    [410, 'missing'],
    [401, 'unavailable'],
    [500, 'unavailable'],
    [204, 'unavailable'],
    [304, 'unavailable'],
  ])('a response with the status %i is reported as %s', async (status, kind) => {
    const provider = await start((request) => respond(request, status, ''));
    const fetch = fetcher({ trustedOrigin: provider.url });
    expect(await fetch(`${provider.url}/`, AUTHORIZATION)).toMatchObject({ kind });
  });

  test('a host that does not respond or has an untrusted certificate is unavailable', async () => {
    const gone = await start(picture);
    await gone.close();
    servers.length = 0;
    const fetch = fetcher({ trustedOrigin: gone.url });
    expect(await fetch(`${gone.url}/`, AUTHORIZATION)).toMatchObject({ kind: 'unavailable' });

    const untrusted = await start(picture, true);
    const lookup = async () => LOCAL;
    const strict = createCheckedFetch({
      timeoutMs: 2_000,
      maxBytes: 10,
      lookup,
      isAllowed: allowsLocal,
    });
    expect(
      await strict(untrusted.url, { authorization: AUTHORIZATION, isTrusted: () => false }),
    ).toMatchObject({ kind: 'unavailable' });
  });
});
