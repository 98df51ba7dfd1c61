import { once } from 'node:events';
import { type Socket, createConnection } from 'node:net';
import { EVENTUALLY, type WorkspaceFixture } from '@switchboard/testing';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type Service, ask, startService } from './start-service.ts';

const LIMIT = 40;
const FLOOD = 3 * LIMIT;

let service: Service;
let workspace: WorkspaceFixture;
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await startService({ env: { CONNECTION_LIMIT: String(LIMIT), LOG_LEVEL: 'warn' } });
  workspace = await service.addWorkspace();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  await service.close();
});

/** Opens a connection and writes the beginning of a request. */
async function open(bytes = ''): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = createConnection(Number(port), hostname);
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  if (bytes !== '') socket.write(bytes);
  return socket;
}

/** Reads with a connection of its own: the API may close one that is kept, just when the next request is written. */
const read = (path: string, token?: string) =>
  ask(service.url, path, {
    headers: { connection: 'close' },
    ...(token !== undefined && { token }),
  });

async function readMetric(name: string): Promise<number> {
  const { text } = await read('/metrics');
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

const POST = (path: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n{`;

test.each([
  ['without a byte', ''],
  ['with half a request line', 'GET /api/mess'],
  ['with endless headers', 'GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: '],
  ['with an endless body of a public route', POST('/api/ui/sessions', 500)],
  ['that wait after a response', 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'],
])(
  'while connections %s come and stay, every other client is served, and the process has no more than its limit',
  async (_name, bytes) => {
    const before = await readMetric('switchboard_connections_closed_total');
    for (let opened = 0; opened < FLOOD; opened += 1) {
      await open(bytes);
      if (opened % 20 !== 0) continue;
      const { status } = await read('/api/messages', workspace.apiKey);
      expect(status).toBe(200);
    }
    expect(await readMetric('switchboard_connections')).toBeLessThanOrEqual(LIMIT);
    const closed = (await readMetric('switchboard_connections_closed_total')) - before;
    expect(closed).toBeGreaterThanOrEqual(FLOOD - LIMIT);
  },
);

test('the connection that has waited the longest for a request is closed first', async () => {
  // The API may still count connections of earlier tests, which would be closed in place of these.
  await vi.waitFor(
    async () => expect(await readMetric('switchboard_connections')).toBeLessThan(5),
    EVENTUALLY,
  );
  const [first, second] = [await open(), await open()];
  const closed: string[] = [];
  first.on('close', () => closed.push('first'));
  second.on('close', () => closed.push('second'));
  // The first one is used again, so the second has waited longer.
  first.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(first, 'data');
  first.resume();
  second.resume();
  // One by one, because those that are closed in the same turn end in any order.
  for (let opened = 0; closed.length === 0 && opened < LIMIT; opened += 1) {
    await open();
    await readMetric('switchboard_connections');
  }
  await vi.waitFor(() => expect(closed[0]).toBe('second'), EVENTUALLY);
});

test('at the limit, a WebSocket and a request with a valid credential stay, and the log and a metric report it', async () => {
  const follower = new WebSocket(`${service.url.replace('http', 'ws')}/api/events`, [
    'messaging.v1',
    `bearer.${workspace.apiKey}`,
  ]);
  await once(follower, 'message');
  const json = JSON.stringify({ to: '+14155550123', body: 'Slow' });
  const credential = `Authorization: Bearer ${workspace.apiKey}\r\nConnection: close\r\nExpect: 100-continue\r\n`;
  const slow = await open(POST('/api/messages', json.length, credential));
  const ended = once(slow, 'close');
  // The API has read the head of the request, and then checked its credential before that of a later one.
  await once(slow, 'data');
  const { status } = await read('/api/messages', workspace.apiKey);
  expect(status).toBe(200);
  for (let opened = 0; opened < FLOOD; opened += 1) await open();
  let response = '';
  slow.on('data', (chunk) => (response += chunk.toString()));
  slow.write(json.slice(1));
  await ended;
  expect(response).toMatch(/^HTTP\/1\.1 201 /);
  const closed = once(follower, 'close');
  follower.ping();
  await once(follower, 'pong');
  follower.close();
  await closed;
  expect(service.apis[0]?.logs.join('')).toContain('"msg":"connection limit reached"');
});
