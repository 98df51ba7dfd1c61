import {
  type ConnectProxyOptions,
  VENDOR_CERTIFICATE,
  startConnectProxy,
} from '@switchboard/testing';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { createGatewayExchange } from '../src/http-gateway/gateway-exchange.ts';
import { createCheckedFetch } from '../src/http/fetch-checked.ts';
import { createOriginClient } from '../src/http/origin-client.ts';
import type { OutboundProxy } from '../src/http/outbound-proxy.ts';
import { createCheckedPost } from '../src/http/post-checked.ts';
import { createWebhookTargets } from '../src/http/webhook-url.ts';
import { respond, startFaultServer } from './fault-server.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(options: Omit<ConnectProxyOptions, 'origin'> = {}) {
  const server = await startFaultServer((request) => respond(request, 200, 'ok'));
  const proxy = await startConnectProxy({ origin: server.url, ...options });
  closers.push(
    () => server.close(),
    () => proxy.close(),
  );
  return { server, proxy };
}

type Call = (url: string, proxy: OutboundProxy, addresses?: string[]) => Promise<string>;

const PUBLIC = ['2606:4700::1', '93.184.216.34'];
/** Short only where a test waits for its end. */
let timeoutMs = 60_000;
const ca = VENDOR_CERTIFICATE;
const toLookup = (addresses: string[]) => async () =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/** Each client of the service. They return the response's body, or what failed. */
const CLIENTS: Record<string, Call> = {
  'the API of a vendor': async (url, proxy) => {
    const client = createOriginClient({
      origin: new URL(url).origin,
      maxConnections: 1,
      connectTimeoutMs: timeoutMs,
      ca,
      proxy,
    });
    closers.push(() => client.close());
    const outcome = await client.exchange(
      { method: 'GET', path: '/', headers: {}, body: null },
      { timeoutMs, mayWrite: () => true },
    );
    return outcome.kind === 'answered' ? outcome.body : `${outcome.kind}: ${outcome.detail}`;
  },
  'an HTTP gateway': async (url, proxy, addresses = PUBLIC) => {
    const gateways = createGatewayExchange({
      apiUrl: null,
      callTimeoutMs: timeoutMs,
      ca,
      proxy,
      lookup: toLookup(addresses),
    });
    closers.push(() => gateways.close());
    const request = { method: 'GET', path: '/', headers: {}, body: null } as const;
    const outcome = await gateways.exchange(new URL(url).origin, request);
    return outcome.kind === 'answered' ? outcome.body : `${outcome.kind}: ${outcome.detail}`;
  },
  'a workspace webhook': async (url, proxy, addresses = PUBLIC) => {
    const poster = createCheckedPost({
      targets: createWebhookTargets({ allowLoopback: false }),
      timeoutMs,
      ca,
      proxy,
      lookup: toLookup(addresses),
    });
    closers.push(() => poster.close());
    const outcome = await poster.post(url, { headers: {}, body: '{}' });
    return outcome.kind === 'answered' ? outcome.excerpt : `${outcome.kind}: ${outcome.detail}`;
  },
  'received media': async (url, proxy, addresses = PUBLIC) => {
    const fetchChecked = createCheckedFetch({
      timeoutMs: 20_000,
      maxBytes: 1_000,
      ca,
      proxy,
      lookup: toLookup(addresses),
    });
    const outcome = await fetchChecked(url, { isTrusted: () => false, authorization: '' });
    if (outcome.kind !== 'found') return JSON.stringify(outcome);
    let text = '';
    for await (const chunk of outcome.body) text += Buffer.from(chunk).toString();
    return text;
  },
};
const NAMES = Object.keys(CLIENTS);
const CHECKED = NAMES.filter((name) => name !== 'the API of a vendor');
const call = (name: string, ...parameters: Parameters<Call>) => CLIENTS[name]?.(...parameters);

describe.each(NAMES)('a request to %s', (name) => {
  test(`a request to ${name} goes through the proxy, whose TLS and credentials work`, async () => {
    for (const tls of [false, true]) {
      const { proxy } = await start({ tls, credentials: 'team@sms:p@ss:wörd/%' });
      const scheme = tls ? 'https' : 'http';
      const url = `${scheme}://team%40sms:p%40ss%3Aw%C3%B6rd%2F%25@127.0.0.1:${proxy.port}`;
      const body = await call(name, 'https://api.vendor.example/', { url, directHosts: [] });
      expect(body).toBe('ok');
      expect(proxy.targets).toHaveLength(1);
    }
  });

  test(`a request to ${name} fails within its time and blames a proxy that refuses, hangs or is down`, async () => {
    const refusing = await start({ credentials: 'user:right' });
    const url = (port: number, login = '') => `http://${login}127.0.0.1:${port}`;
    const target = 'https://api.vendor.example/';
    const blame = async (proxyUrl: string) =>
      call(name, target, { url: proxyUrl, directHosts: [] });
    expect(await blame(url(refusing.proxy.port, 'user:wrong@'))).toMatch(
      /^(not_written: |failed: The connection failed: |.*unavailable.*)The proxy in HTTPS_PROXY responded with 407 to CONNECT .*:443: it needs a valid user name and password/,
    );
    const forbidding = await start({
      onConnect: (socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n<html>No</html>'),
    });
    expect(await blame(forbidding.proxy.url)).toMatch(/The proxy .* responded with 403 to CONNECT/);
    const hanging = await start({ onConnect: () => undefined });
    timeoutMs = 4_000;
    onTestFinished(() => void (timeoutMs = 60_000));
    expect(await blame(hanging.proxy.url)).toMatch(
      /The proxy .* did not respond to CONNECT .* within \d+ ms/,
    );
    const closing = await start({ onConnect: (socket) => socket.destroy() });
    expect(await blame(closing.proxy.url)).toMatch(/The proxy .* \(ECONNRESET\)/);
    const babbling = await start({ onConnect: (socket) => socket.end('SSH-2.0-OpenSSH\r\n') });
    expect(await blame(babbling.proxy.url)).toMatch(/The proxy .* \(HPE_INVALID_CONSTANT\)/);
    const { proxy } = await start();
    await closers.pop()?.();
    expect(await blame(proxy.url)).toMatch(/The proxy .* \(ECONNREFUSED\)/);
    // What an owner reads has neither the address of the proxy nor its credentials.
    expect(await blame(url(refusing.proxy.port, 'user:wrong@'))).not.toMatch(/127\.0\.0\.1|wrong/);
  });

  test(`a request to ${name} in NO_PROXY or on this machine does not use the proxy`, async () => {
    const { proxy } = await start();
    const directHosts = [{ kind: 'domain', name: 'vendor.example', port: null }] as const;
    const outbound = { url: proxy.url, directHosts };
    // Nothing listens at these, so a direct connection fails.
    for (const host of ['api.vendor.example:1', 'localhost:1', '127.0.0.1:1']) {
      expect(await call(name, `https://${host}/`, outbound, ['127.0.0.1'])).not.toBe('ok');
    }
    expect(proxy.targets).toEqual([]);
  });
});

test('the proxy resolves the names of vendors’ APIs', async () => {
  const { proxy } = await start();
  await call('the API of a vendor', 'https://api.vendor.example/', {
    url: proxy.url,
    directHosts: [],
  });
  expect(proxy.targets).toEqual(['api.vendor.example:443']);
});

test.each(CHECKED)(
  'for %s, the proxy receives the checked address instead of the name',
  async (name) => {
    const { proxy } = await start();
    const outbound = { url: proxy.url, directHosts: [] };
    expect(await call(name, 'https://api.vendor.example:8443/', outbound)).toBe('ok');
    expect(await call(name, 'https://93.184.216.34/', outbound)).toBe('ok');
    await call(name, 'https://six.vendor.example/', outbound, ['2606:4700::1']);
    expect(proxy.targets).toEqual([
      '93.184.216.34:8443',
      '93.184.216.34:443',
      '[2606:4700::1]:443',
    ]);
  },
);

test.each(CHECKED)(
  'for %s, the proxy is asked for the next address after one that it cannot reach, IPv4 first, four in all',
  async (name) => {
    const addresses = [
      '2606:4700::1',
      '93.184.216.34',
      '93.184.216.35',
      '2606:4700::2',
      '2606:4700::3',
    ];
    const targets = [
      '93.184.216.34:443',
      '93.184.216.35:443',
      '[2606:4700::1]:443',
      '[2606:4700::2]:443',
    ];
    const partial = await start({ unreachable: targets.slice(0, 3) });
    const outbound = (url: string) => ({ url, directHosts: [] });
    const target = 'https://api.vendor.example/';
    expect(await call(name, target, outbound(partial.proxy.url), addresses)).toBe('ok');
    expect(partial.proxy.targets).toEqual(targets);
    const cut = await start({ unreachable: targets });
    expect(await call(name, target, outbound(cut.proxy.url), addresses)).toMatch(
      /responded with 504 to CONNECT 93\.184\.216\.34:443/,
    );
    expect(cut.proxy.targets).toEqual(targets);
  },
);

test.each(CHECKED)('for %s, the proxy receives no request for a private address', async (name) => {
  const { proxy } = await start();
  const outbound = { url: proxy.url, directHosts: [] };
  for (const [url, addresses] of [
    ['https://inside.vendor.example/', ['10.0.0.1']],
    ['https://inside.vendor.example/', ['93.184.216.34', '169.254.169.254']],
    ['https://169.254.169.254/', PUBLIC],
    ['https://[fd00::1]/', PUBLIC],
  ] as const) {
    expect(await call(name, url, outbound, [...addresses])).not.toBe('ok');
  }
  expect(proxy.targets).toEqual([]);
});

test.each(CHECKED)(
  'for %s, the certificate behind the proxy must be that of the name',
  async (name) => {
    const { proxy } = await start();
    const outbound = { url: proxy.url, directHosts: [] };
    expect(await call(name, 'https://other.example/', outbound)).toMatch(/certificate|altnames/i);
  },
);
