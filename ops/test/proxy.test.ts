import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, type Socket, connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Service, startService } from '../../apps/api/test/start-service.ts';
import { type Proxy, startProxy } from '../../apps/chaos/src/roll/start-proxy.ts';
import { SETTINGS } from '../../packages/runtime/src/index.ts';
import { certificatePath } from '../../packages/testing/src/index.ts';
import { readRootFile } from './settings-in-code.ts';
import { startNginx } from './start-nginx.ts';

const PROXIES = ['HAProxy', 'nginx'] as const;

let service: Service;
let folder: string;
let authority: string;
let haproxy: Proxy;
const urls = new Map<string, string>();
const httpUrls = new Map<string, string>();
/** Answers in place of certbot. */
const certbot = createServer((request, response) =>
  response.end(`certbot received ${request.url}`),
);
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  // OPS_PORT is not set, so that only the proxy blocks these routes.
  const login = { QUEUE_UI_USER: 'operator', QUEUE_UI_PASSWORD: 'a long password of theirs' };
  folder = await mkdtemp(join(tmpdir(), 'switchboard-proxy-'));
  const MEDIA_FOLDER = join(folder, 'media');
  service = await startService({ env: { ...login, TRUST_PROXY: '1', MEDIA_FOLDER } });
  authority = await readFile(certificatePath('authority.pem'), 'utf8');
  const apiPorts = [Number(new URL(service.url).port)];
  await new Promise<void>((resolve) => certbot.listen(0, '127.0.0.1', resolve));
  const certbotPort = (certbot.address() as AddressInfo).port;
  haproxy = await startProxy({ apiPorts, folder, certbotPort });
  closers.push(() => haproxy.close());
  urls.set('HAProxy', haproxy.url);
  httpUrls.set('HAProxy', haproxy.httpUrl);
  const nginx = await startNginx(apiPorts, certbotPort);
  closers.push(() => nginx.close());
  urls.set('nginx', nginx.url);
  httpUrls.set('nginx', nginx.httpUrl);
});

afterAll(async () => {
  for (const close of closers) await close();
  certbot.closeAllConnections();
  certbot.close();
  await service?.close();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

/** Writes the request target unchanged, because a client library would normalize it. */
function get(proxy: string, target: string, host = '127.0.0.1'): Promise<string> {
  return send(
    proxy,
    `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
    host,
  );
}

function send(proxy: string, request: string, host = '127.0.0.1'): Promise<string> {
  const { port } = new URL(urls.get(proxy) ?? '');
  return new Promise((resolve, reject) => {
    // The certificate is valid for 127.0.0.1.
    const checkServerIdentity = () => undefined;
    const socket = connect({ host, port: Number(port), ca: authority, checkServerIdentity });
    let response = '';
    socket.setTimeout(10_000, () => socket.destroy(new Error(`no response to ${request}`)));
    socket.on('data', (chunk) => (response += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(response));
    socket.write(request);
  });
}

const SPELLINGS = [
  '/metrics',
  '/%6detrics',
  '/%6Detrics',
  '/metric%73',
  '/%6d%65%74%72%69%63%73',
  '/metrics?a=b',
  '/metrics%3Fa',
  '/metrics#a',
  '/metrics;a',
  '//metrics',
  '/./metrics',
  '/api/../metrics',
  '/api/%2e%2e/metrics',
  '/%2e/metrics',
  '/%2Fmetrics',
  'http://127.0.0.1/metrics',
  'http://127.0.0.1/%6detrics',
  '/ops/queue',
  '/%6fps/queue',
  '/ops%2Fqueue',
  '/%6f%70%73/%71%75%65%75%65',
  '//ops/queue',
  '/ops/./queue',
];

test.each(PROXIES)('%s refuses operators’ routes however the path is encoded', async (proxy) => {
  const reached: string[] = [];
  for (const target of SPELLINGS) {
    const response = await get(proxy, target);
    expect(response).toMatch(/^HTTP\/1\.1 \d/);
    // An unblocked request returns metrics, or the login prompt of the queue page.
    if (/^# HELP|www-authenticate/im.test(response)) reached.push(target);
  }
  expect(reached).toEqual([]);
});

test.each(PROXIES)('%s forwards every other path unchanged', async (proxy) => {
  for (const target of ['/health/live', '/%68ealth/live', '/openapi.json', '/docs']) {
    expect([target, (await get(proxy, target)).split('\r\n')[0]]).toEqual([
      target,
      'HTTP/1.1 200 OK',
    ]);
  }
  expect(await get(proxy, '/api/messages?to=%2B15558675310')).toContain('unauthorized');
});

test.each(PROXIES)('%s forwards an uploaded file of 5 MB', async (proxy) => {
  const { apiKey, sessionToken, workspaceId } = await service.addWorkspace();
  const file = '%PDF-1.7\n'.padEnd(5 * 1024 * 1024, 'x');
  for (const [path, token] of [
    ['/api/media?name=a.pdf', apiKey],
    [`/api/ui/workspaces/${workspaceId}/media`, sessionToken],
  ]) {
    const response = await send(
      proxy,
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n` +
        `Authorization: Bearer ${token}\r\nContent-Length: ${file.length}\r\n\r\n${file}`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 201 /);
    expect(response).toContain('"content_type":"application/pdf"');
  }
});

test.each(PROXIES)('%s answers over IPv6', async (proxy) => {
  expect(await get(proxy, '/health/live', '::1')).toMatch(/^HTTP\/1\.1 200 /);
});

test('each proxy configuration allows 10,000 sockets for each API plus requests', () => {
  const number = (file: string, pattern: RegExp) =>
    Number(pattern.exec(readRootFile(`ops/proxy/${file}`))?.[1]);
  const sockets =
    10_000 * (readRootFile('ops/proxy/haproxy.cfg').match(/^ {2}server api-/gm) ?? []).length;
  expect(sockets).toBe(20_000);
  expect(number('haproxy.cfg', /^ {2}maxconn (\d+)/m)).toBeGreaterThan(1.1 * sockets);
  // nginx also counts the connections to the APIs.
  const connections = number('nginx.conf', /^ {2}worker_connections (\d+)/m);
  expect(connections).toBeGreaterThan(2 * 1.1 * sockets);
  expect(number('nginx.conf', /^worker_rlimit_nofile (\d+)/m)).toBeGreaterThan(connections);
});

test('each proxy answers a blocked path in the format of the API', async () => {
  for (const proxy of PROXIES) {
    const response = await get(proxy, '/metrics');
    expect([proxy, response]).toEqual([proxy, expect.stringMatching(/^HTTP\/1\.1 404 /)]);
    expect(response.split('\r\n\r\n')[1]).toContain(
      '{"error":"not_found","detail":"No such route"}',
    );
  }
});

test('nginx refuses a request that is not valid HTTP or too large in the format of the API', async () => {
  const head = 'Host: 127.0.0.1\r\nConnection: close\r\n';
  const size = 64 * 1024 + 1;
  const requests: Record<string, string> = {
    'an invalid request line': 'BAD\r\n\r\n',
    'a path of 40,000 characters': `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n${head}\r\n`,
    'a header of 40,000 characters': `GET / HTTP/1.1\r\n${head}X: ${'a'.repeat(40_000)}\r\n\r\n`,
    'a body over 64 KiB': `POST /api/messages HTTP/1.1\r\n${head}Content-Length: ${size}\r\n\r\n${'a'.repeat(size)}`,
  };
  for (const [name, request] of Object.entries(requests)) {
    const [response = '', body = ''] = (await send('nginx', request)).split('\r\n\r\n');
    expect([name, response]).toEqual([name, expect.stringMatching(/^HTTP\/1\.1 400 /)]);
    expect([name, response]).toEqual([
      name,
      expect.stringMatching(/content-type: application\/json/i),
    ]);
    expect([name, JSON.parse(body)]).toEqual([
      name,
      { error: 'invalid_params', detail: expect.any(String) },
    ]);
  }
  expect(await send('nginx', `TRACE / HTTP/1.1\r\n${head}\r\n`)).toContain('"not_found"');
});

test('HAProxy refuses the connections of an address beyond its limit, and serves other addresses', async () => {
  const apiPorts = [Number(new URL(service.url).port)];
  const limited = await startProxy({
    apiPorts,
    folder: join(folder, 'limited'),
    connectionsPerAddress: 3,
  });
  closers.push(() => limited.close());
  const { port } = new URL(limited.httpUrl);
  const open: Socket[] = [];
  onTestFinished(() => open.forEach((socket) => socket.destroy()));
  const request = (localAddress: string) => {
    const socket = connectTcp({ host: '127.0.0.1', port: Number(port), localAddress });
    open.push(socket);
    socket.write('GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    return new Promise<string>((resolve) => {
      socket.on('data', (chunk) => resolve(String(chunk)));
      socket.on('error', () => undefined); // HAProxy may reset a connection that it refuses.
      socket.on('close', () => resolve('closed'));
    });
  };
  for (let count = 0; count < 3; count += 1) expect(await request('127.0.0.1')).toContain(' 308 ');
  expect(await request('127.0.0.1')).toBe('closed');
  expect(await request('127.0.0.2')).toContain(' 308 ');
  // The address gets a connection again when it has closed one.
  open[0]?.destroy();
  await expect.poll(() => request('127.0.0.1'), EVENTUALLY).toContain(' 308 ');
});

test('HAProxy allows an address all WebSockets of one workspace at every API, and less than all connections', () => {
  const text = readRootFile('ops/proxy/haproxy.cfg');
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1]);
  const apis = (text.match(/^ {2}server api-/gm) ?? []).length;
  const limit = number(/sc0_conn_cur gt (\d+)/);
  expect(limit).toBeGreaterThan(apis * Number(SETTINGS.SOCKET_LIMIT_WORKSPACE.default));
  expect(limit).toBeLessThan(number(/^ {2}maxconn (\d+)/m) / 4);
});

test('HAProxy starts without warnings about its configuration', () => {
  expect(haproxy.warnings()).toEqual([]);
});

test.each(PROXIES)(
  '%s forwards the challenge of the certificate authority to certbot over plain HTTP, and redirects every other path',
  async (proxy) => {
    const fetchPlain = (path: string) =>
      fetch(`${httpUrls.get(proxy)}${path}`, {
        redirect: 'manual',
        headers: { connection: 'close' },
      });
    const challenge = '/.well-known/acme-challenge/token';
    expect(await (await fetchPlain(challenge)).text()).toBe(`certbot received ${challenge}`);
    const other = await fetchPlain('/api/messages');
    expect([other.status, other.headers.get('location')]).toEqual([
      308,
      expect.stringMatching(/^https:\/\/127\.0\.0\.1(:\d+)?\/api\/messages$/),
    ]);
  },
);

test('HAProxy answers a challenge with 404 while certbot is not running, so no alert counts it', async () => {
  const idle = await startProxy({ apiPorts: [1], folder: join(folder, 'idle') });
  closers.push(() => idle.close());
  const response = await fetch(`${idle.httpUrl}/.well-known/acme-challenge/token`, {
    headers: { connection: 'close' },
  });
  expect([response.status, await response.json()]).toEqual([
    404,
    { error: 'not_found', detail: 'No such route' },
  ]);
});

// This must be the last test, because it stops the API.
test('while no API answers, each proxy refuses requests in the format of the API, and HAProxy counts them', async () => {
  await service.apis[0]?.stop();
  const expected = { HAProxy: [503, 'service_unavailable'], nginx: [500, 'internal_error'] };
  for (const proxy of PROXIES) {
    const [status, error] = expected[proxy];
    const refused = async () => (await get(proxy, '/api/messages')).split('\r\n\r\n');
    // HAProxy detects within three checks that the API is down.
    await expect
      .poll(async () => (await refused())[0], EVENTUALLY)
      .toContain(`HTTP/1.1 ${status} `);
    const [head = '', body = ''] = await refused();
    expect(head.toLowerCase()).toContain('content-type: application/json');
    expect(JSON.parse(body)).toEqual({ error, detail: expect.any(String) });
    expect(head.toLowerCase().includes('retry-after: 1')).toBe(status === 503);
  }
  const figures = await (
    await fetch(haproxy.metricsUrl, { headers: { connection: 'close' } })
  ).text();
  const counted = /^haproxy_frontend_http_responses_total\{proxy="public",code="5xx"\} (\d+)/m;
  const refusals = Number(counted.exec(figures)?.[1]);
  expect(refusals).toBeGreaterThan(1);
  // The service levels count the difference as requests refused by the proxy.
  const byServers = [
    ...figures.matchAll(/^haproxy_server_http_responses_total\{proxy="api",.*code="5xx"\} (\d+)/gm),
  ].map(([, count]) => Number(count));
  expect(byServers.length).toBeGreaterThan(0);
  expect(Math.max(...byServers)).toBeLessThan(refusals);
});
