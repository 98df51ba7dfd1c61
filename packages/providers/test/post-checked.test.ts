import { readNetworks } from '@switchboard/core';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type CheckedPost,
  type CheckedPostOptions,
  createCheckedPost,
} from '../src/http/post-checked.ts';
import { type WebhookTargetOptions, createWebhookTargets } from '../src/http/webhook-url.ts';
import {
  type FaultServer,
  LOCALHOST_CERTIFICATE,
  type ReceivedRequest,
  respond,
  startFaultServer,
} from './fault-server.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(
  handler: (request: ReceivedRequest) => void,
  tls = false,
): Promise<FaultServer> {
  const server = await startFaultServer(handler, { tls });
  closers.push(() => server.close());
  return server;
}

function createPoster(
  options: Partial<CheckedPostOptions & WebhookTargetOptions> = {},
): CheckedPost {
  const { allowLoopback = false, privateNetworks, ...rest } = options;
  const poster = createCheckedPost({
    targets: createWebhookTargets({ allowLoopback, privateNetworks }),
    timeoutMs: 20_000,
    ca: LOCALHOST_CERTIFICATE,
    ...rest,
  });
  closers.push(() => poster.close());
  return poster;
}

const post = (poster: CheckedPost, url: string) => poster.post(url, { headers: {}, body: '{}' });
const resolvesTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('a delivery to the URL of a workspace', () => {
  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'http://example.com/',
    'https://user:password@example.com/',
    'ftp://example.com/',
    'not a URL',
  ])('a delivery to the URL %s is refused', async (url) => {
    expect(createWebhookTargets({ allowLoopback: false }).refuse(url)).toMatch(/^must /);
    expect(await post(createPoster(), url)).toMatchObject({ kind: 'refused' });
  });

  test('a delivery is refused if any address of the host name is private', async () => {
    const lookup = resolvesTo('93.184.216.34', '10.0.0.1');
    expect(await post(createPoster({ lookup }), 'https://example.com/')).toEqual({
      kind: 'refused',
      detail: 'The host name does not resolve to a public internet address',
    });
  });

  test('a delivery is refused after the host name has changed to a private address', async () => {
    const receiver = await start((request) => respond(request, 200, 'ok'), true);
    const addresses = ['127.0.0.1', '127.0.0.2'];
    let lookups = 0;
    const poster = createPoster({
      privateNetworks: readNetworks('127.0.0.1/32'),
      lookup: async () => {
        lookups += 1;
        return [{ address: addresses[lookups - 1] ?? '', family: 4 }];
      },
    });
    const url = `https://rebinding.example:${new URL(receiver.url).port}/`;
    // Connects to the checked address, whose certificate is for another name.
    expect(await post(poster, url)).toMatchObject({ kind: 'failed' });
    expect(lookups).toBe(1);
    expect(receiver.connections).toBe(1);
    expect(await post(poster, url)).toEqual({
      kind: 'refused',
      detail:
        'The host name does not resolve to a public internet address or one in WEBHOOK_PRIVATE_NETWORKS',
    });
  });

  test.each([
    ['http', '127.0.0.1', '127.0.0.0/8', undefined],
    ['http', '2130706433', '127.0.0.0/30', undefined],
    ['http', 'localhost', '127.0.0.1/32', undefined],
    ['http', 'crm.internal', '127.0.0.1/32', ['127.0.0.1']],
    ['http', '[::ffff:127.0.0.1]', '127.0.0.0/8', undefined],
    ['https', 'localhost', '127.0.0.1/32', ['127.0.0.1']],
  ])(
    'a delivery with %s to %s reaches a receiver in the operator’s network %s',
    async (scheme, host, cidr, addresses) => {
      const receiver = await start((request) => respond(request, 200, 'ok'), scheme === 'https');
      const poster = createPoster({
        privateNetworks: readNetworks('fd12::/16', cidr),
        ...(addresses !== undefined && { lookup: resolvesTo(...addresses) }),
      });
      const url = `${scheme}://${host}:${new URL(receiver.url).port}/events`;
      expect(await post(poster, url)).toMatchObject({ kind: 'answered', statusCode: 200 });
    },
  );

  test.each([
    'https://10.0.1.1/',
    'https://169.254.169.254/',
    'https://[fd13::1]/',
    'https://[::ffff:10.0.1.1]/',
    'https://localhost/',
    'http://93.184.216.34/',
    'http://10.0.1.1/',
    'http://localhost/',
    'ftp://10.0.0.1/',
  ])('a delivery to %s, outside the operator’s networks, is refused', async (url) => {
    const privateNetworks = readNetworks('10.0.0.0/24', 'fd12::/16');
    const { refuse } = createWebhookTargets({ allowLoopback: false, privateNetworks });
    expect(refuse(url)).toMatch(/WEBHOOK_PRIVATE_NETWORKS$/);
    expect(await post(createPoster({ privateNetworks }), url)).toMatchObject({ kind: 'refused' });
  });

  test('with http, a name must have only addresses in the operator’s networks', async () => {
    const receiver = await start((request) => respond(request, 200, 'ok'));
    const url = `http://crm.internal:${new URL(receiver.url).port}/`;
    for (const addresses of [['93.184.216.34'], ['127.0.0.1', '93.184.216.34'], ['127.0.0.2']]) {
      const poster = createPoster({
        privateNetworks: readNetworks('127.0.0.1/32'),
        lookup: resolvesTo(...addresses),
      });
      expect(await post(poster, url), addresses.join()).toMatchObject({ kind: 'refused' });
    }
    expect(receiver.connections).toBe(0);
  });

  test('a delivery does not follow a redirect', async () => {
    const target = await start((request) => respond(request, 200, 'secret'));
    const receiver = await start((request) =>
      respond(request, 307, '', { location: `${target.url}/inside` }),
    );
    const outcome = await post(createPoster({ allowLoopback: true }), receiver.url);
    expect(outcome).toMatchObject({ kind: 'answered', statusCode: 307 });
    expect(target.requests).toEqual([]);
  });

  test('a delivery reaches this machine only if loopback is allowed, and then no other private address', async () => {
    const receiver = await start((request) => respond(request, 200, 'ok'));
    expect(await post(createPoster(), receiver.url)).toMatchObject({ kind: 'refused' });
    const poster = createPoster({ allowLoopback: true });
    expect(await post(poster, receiver.url)).toMatchObject({ kind: 'answered', statusCode: 200 });
    expect(await post(poster, 'https://10.0.0.1/')).toMatchObject({ kind: 'refused' });
    expect(await post(poster, 'http://10.0.0.1/')).toMatchObject({ kind: 'refused' });
  });

  test('deliveries reuse connections', async () => {
    const receiver = await start((request) => respond(request, 200, 'ok'));
    const poster = createPoster({ allowLoopback: true });
    for (let n = 0; n < 20; n += 1) await post(poster, receiver.url);
    expect(receiver.requests).toHaveLength(20);
    expect(receiver.connections).toBeLessThan(10);
  });

  test('a delivery keeps the first 1,024 bytes of the response, and ends after 64 KiB', async () => {
    const receiver = await start((request) => respond(request, 200, `\0${'x'.repeat(200_000)}`));
    const outcome = await post(createPoster({ allowLoopback: true }), receiver.url);
    if (outcome.kind !== 'answered') throw new Error(outcome.detail);
    expect(outcome.excerpt).toBe(`\u{FFFD}${'x'.repeat(1_023)}`);
  });

  test('a delivery fails if there is no complete response in time', async () => {
    const receiver = await start(() => undefined);
    const poster = createPoster({ allowLoopback: true, timeoutMs: 200 });
    expect(await post(poster, receiver.url)).toEqual({
      kind: 'failed',
      detail: 'No complete response within 0.2 s',
    });
  });

  test('a delivery reads Retry-After in seconds', async () => {
    const receiver = await start((request) => respond(request, 429, '', { 'retry-after': '7' }));
    const outcome = await post(createPoster({ allowLoopback: true }), receiver.url);
    expect(outcome).toMatchObject({ statusCode: 429, retryAfterMs: 7_000 });
  });
});
