import { afterEach, describe, expect, test } from 'vitest';
import {
  type CheckedPost,
  type CheckedPostOptions,
  createCheckedPost,
} from '../src/http/post-checked.ts';
import { refuseWebhookUrl } from '../src/http/webhook-url.ts';
import {
  type FaultServer,
  LOCALHOST_CERTIFICATE,
  type ReceivedRequest,
  answer,
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

function createPoster(options: Partial<CheckedPostOptions> = {}): CheckedPost {
  const poster = createCheckedPost({
    timeoutMs: 20_000,
    allowLoopback: false,
    ca: LOCALHOST_CERTIFICATE,
    ...options,
  });
  closers.push(() => poster.close());
  return poster;
}

const post = (poster: CheckedPost, url: string) => poster.post(url, { headers: {}, body: '{}' });
const isLocal = (address: string) => address === '127.0.0.1';

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
    expect(refuseWebhookUrl(url, { allowLoopback: false })).toMatch(/^must /);
    expect(await post(createPoster(), url)).toMatchObject({ kind: 'refused' });
  });

  test('a delivery is refused if any address of the host name is private', async () => {
    const lookup = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    expect(await post(createPoster({ lookup }), 'https://example.com/')).toEqual({
      kind: 'refused',
      detail: 'The host name does not resolve to a public internet address',
    });
  });

  test('a delivery is refused after the host name has changed to a private address', async () => {
    const receiver = await start((request) => answer(request, 200, 'ok'), true);
    const addresses = ['127.0.0.1', '127.0.0.2'];
    let lookups = 0;
    const poster = createPoster({
      isAllowed: isLocal,
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
      detail: 'The host name does not resolve to a public internet address',
    });
  });

  test('a delivery does not follow a redirect', async () => {
    const target = await start((request) => answer(request, 200, 'secret'));
    const receiver = await start((request) =>
      answer(request, 307, '', { location: `${target.url}/inside` }),
    );
    const outcome = await post(createPoster({ allowLoopback: true }), receiver.url);
    expect(outcome).toMatchObject({ kind: 'answered', statusCode: 307 });
    expect(target.requests).toEqual([]);
  });

  test('a delivery reaches this machine only if loopback is allowed, and then no other private address', async () => {
    const receiver = await start((request) => answer(request, 200, 'ok'));
    expect(await post(createPoster(), receiver.url)).toMatchObject({ kind: 'refused' });
    const poster = createPoster({ allowLoopback: true });
    expect(await post(poster, receiver.url)).toMatchObject({ kind: 'answered', statusCode: 200 });
    expect(await post(poster, 'https://10.0.0.1/')).toMatchObject({ kind: 'refused' });
    expect(await post(poster, 'http://10.0.0.1/')).toMatchObject({ kind: 'refused' });
  });

  test('deliveries reuse connections', async () => {
    const receiver = await start((request) => answer(request, 200, 'ok'));
    const poster = createPoster({ allowLoopback: true });
    for (let n = 0; n < 20; n += 1) await post(poster, receiver.url);
    expect(receiver.requests).toHaveLength(20);
    expect(receiver.connections).toBeLessThan(10);
  });

  test('a delivery keeps the first 1,024 bytes of the response, and ends after 64 KiB', async () => {
    const receiver = await start((request) => answer(request, 200, `\0${'x'.repeat(200_000)}`));
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
    const receiver = await start((request) => answer(request, 429, '', { 'retry-after': '7' }));
    const outcome = await post(createPoster({ allowLoopback: true }), receiver.url);
    expect(outcome).toMatchObject({ statusCode: 429, retryAfterMs: 7_000 });
  });
});
