import { START_OF_EVENTS } from '@switchboard/core';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createApiKey } from '@switchboard/credentials';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { formatCursor } from '../src/events/cursor.ts';
import {
  type Environment,
  type Server,
  type Tenant,
  createEnvironment,
} from './events-environment.ts';

let environment: Environment;
let server: Server;
let tenant: Tenant;
let other: Tenant;

beforeAll(async () => {
  environment = await createEnvironment({ redisUrl: null, channel: 'upgrade' });
  server = await environment.startServer({ maxSockets: 3 });
  [tenant, other] = [await environment.createTenant(), await environment.createTenant()];
});

afterAll(() => environment.close());

/** Sends bytes and returns the response until the server closes the connection. */
async function ask(request: string): Promise<string> {
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write(request);
  let response = '';
  socket.on('data', (part: Buffer) => {
    response += part.toString('latin1');
  });
  await once(socket, 'close');
  return response;
}

const HANDSHAKE = [
  'Host: localhost',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
];

function handshake(lines: readonly string[], path = '/api/events'): string {
  return `${[`GET ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`;
}

describe('WebSocket upgrades', () => {
  test('the response to an accepted upgrade has the headers of every response', async () => {
    const client = environment.connect(server.url, tenant.key);
    const { headers } = await client.opened;
    expect(headers['x-request-id']).toBeTypeOf('string');
    expect(headers['x-ratelimit-limit']).toBe('1000000');
    expect(headers['sec-websocket-extensions']).toBeUndefined();
    client.socket.terminate();
  });

  test("an upgrade accepts a browser's credential in the subprotocols and selects messaging.v1", async () => {
    const socket = new WebSocket(server.uiUrl(tenant), ['messaging.v1', `bearer.${tenant.token}`]);
    await once(socket, 'open');
    expect(socket.protocol).toBe('messaging.v1');
    socket.terminate();
  });

  test.each([
    ['a wrong key', () => [server.url, createApiKey().key], 401, 'unauthorized'],
    ['a session instead of an API key', () => [server.url, tenant.token], 401, 'unauthorized'],
    [
      'an API key instead of a session',
      () => [server.uiUrl(tenant), tenant.key],
      401,
      'unauthorized',
    ],
    ['the workspace of another user', () => [server.uiUrl(other), tenant.token], 403, 'forbidden'],
    [
      'an unknown workspace',
      () => [server.uiUrl({ ...tenant, workspaceId: 'nonsense' }), tenant.token],
      404,
      'not_found',
    ],
    ['an unreadable cursor', () => [`${server.url}?cursor=x`, tenant.key], 400, 'invalid_params'],
    [
      'two cursors',
      () => [
        `${server.url}?cursor=${formatCursor(tenant.workspaceId, { epoch: '0000000100000000', position: START_OF_EVENTS })}&cursor=x`,
        tenant.key,
      ],
      400,
      'invalid_params',
    ],
    [
      'a cursor of another workspace',
      () => [
        `${server.url}?cursor=${formatCursor(other.workspaceId, { epoch: '0000000100000000', position: START_OF_EVENTS })}`,
        tenant.key,
      ],
      400,
      'invalid_params',
    ],
    ['another path', () => [`${server.url}/more`, tenant.key], 404, 'not_found'],
  ])('an upgrade with %s is refused in JSON', async (_what, where, status, error) => {
    const [url = '', credential = ''] = where();
    const refusal = await environment.connect(url, credential).refused();
    expect(refusal.status).toBe(status);
    expect(refusal.body).toEqual({ error, detail: expect.any(String) as string });
    expect(refusal.headers['x-request-id']).toBeTypeOf('string');
    if (status === 400)
      expect(refusal.body).toMatchObject({ detail: expect.stringContaining('`cursor`') as string });
  });

  test.each([
    'heartbeat=4',
    'heartbeat=61',
    'heartbeat=1e1',
    'heartbeat=-5',
    'heartbeat=5&heartbeat=5',
  ])(
    'an upgrade with the parameters %s is refused, and the error names the parameter',
    async (query) => {
      const refusal = await environment.connect(`${server.url}?${query}`, tenant.key).refused();
      expect(refusal.status).toBe(400);
      expect(refusal.body).toMatchObject({
        error: 'invalid_params',
        detail: expect.stringContaining('`heartbeat`') as string,
      });
    },
  );

  test('an upgrade from a page of another origin is refused', async () => {
    const from = (origin: string) =>
      environment.connect(server.uiUrl(tenant), tenant.token, { headers: { origin } });
    for (const origin of [
      'https://evil.example',
      'null',
      'https://dashboard.example.evil.example',
      'https://dashboard.example:8443',
      'http://dashboard.example',
    ]) {
      const { status, body } = await from(origin).refused();
      expect([status, body]).toMatchObject([403, { error: 'forbidden' }]);
    }
    for (const origin of ['https://dashboard.example', `http://${new URL(server.url).host}`]) {
      const client = from(origin);
      await client.receive(1);
      client.socket.terminate();
      await client.closed;
    }
  });

  test('an upgrade beyond the limit of sockets is refused with 503 until another socket closes', async () => {
    const small = await environment.startServer({ maxSockets: 3 });
    const clients = [1, 2, 3].map(() => environment.connect(small.url, tenant.key));
    await Promise.all(clients.map((client) => client.receive(1)));
    const { status, headers, body } = await environment.connect(small.url, tenant.key).refused();
    expect([status, body]).toMatchObject([503, { error: 'service_unavailable' }]);
    expect(headers['retry-after']).toBe('1');
    clients[0]?.socket.close();
    await clients[0]?.closed;
    await environment.connect(small.url, tenant.key).receive(1);
  });

  test('an upgrade beyond the quota of its key, user or workspace is refused until another socket closes', async () => {
    const crowded = await environment.createTenant();
    const strict = await environment.startServer({
      socketQuotas: { key: 2, user: 1, workspace: 3 },
    });
    const open = async (url: string, credential: string) => {
      const client = environment.connect(url, credential);
      await client.receive(1);
      return client;
    };
    const expectRefused = async (url: string, credential: string, detail: string) => {
      const { status, body } = await environment.connect(url, credential).refused();
      expect([status, body]).toEqual([403, { error: 'quota_exceeded', detail }]);
    };
    const first = await open(strict.url, crowded.key);
    await open(strict.url, crowded.key);
    await expectRefused(
      strict.url,
      crowded.key,
      'The quota of 2 open sockets per API key has been reached',
    );
    await open(strict.uiUrl(crowded), crowded.token);
    await expectRefused(
      strict.uiUrl(crowded),
      crowded.token,
      'The quota of 1 open sockets per user has been reached',
    );
    // Another key of the same workspace, which has three open sockets.
    const second = await environment.createTenant();
    await environment.database.pool.query('UPDATE api_keys SET workspace_id = $1 WHERE id = $2', [
      crowded.workspaceId,
      second.apiKeyId,
    ]);
    await expectRefused(
      strict.url,
      second.key,
      'The quota of 3 open sockets per workspace has been reached',
    );
    // Other workspaces are not affected, and a closed socket frees its place.
    await open(strict.url, other.key);
    first.socket.close();
    await first.closed;
    await open(strict.url, second.key);
  });

  test('an upgrade with an invalid handshake is refused in JSON', async () => {
    const authorization = `Authorization: Bearer ${tenant.key}`;
    const withoutKey = HANDSHAKE.filter((line) => !line.startsWith('Sec-WebSocket-Key'));
    const response = await ask(handshake([...withoutKey, authorization]));
    expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(response).toMatch(/\r\nx-request-id: /);
    expect(response).toMatch(/\{"error":"invalid_params","detail":".+"\}$/);
  });
});

describe('requests that are not WebSocket upgrades', () => {
  const http = (path: string) => new URL(path, server.url.replace('ws:', 'http:'));

  test('a plain request to the event routes is refused with 404 in JSON', async () => {
    for (const path of ['/api/events', `/api/ui/workspaces/${tenant.workspaceId}/events`]) {
      const response = await fetch(http(path), { headers: { connection: 'close' } });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: 'not_found' });
    }
  });

  test('a request that offers an unsupported protocol is answered normally', async () => {
    const body = JSON.stringify({ text: 'é' });
    const response = await ask(
      [
        'POST /api/echo HTTP/1.1',
        'Host: localhost',
        'Connection: Upgrade, HTTP2-Settings, close',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    );
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(Buffer.from(response, 'latin1').toString('utf8')).toContain(`{"echo":${body}}`);
  });

  test('a WebSocket upgrade on another route is answered like a plain request', async () => {
    const lines = HANDSHAKE.map((line) =>
      line.replace(/^Connection: .*/, 'Connection: Upgrade, close'),
    );
    const response = await ask(handshake(lines, '/api/nowhere'));
    expect(response).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(response).toContain('"error":"not_found"');
  });
});
