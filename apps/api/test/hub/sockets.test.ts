import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { formatCursor } from '../../src/events/cursor.ts';
import { type Tenant, cursorOf, eventsOf, until } from '../events-environment.ts';
import { environment, MIB, at, useHubEnvironment } from './environment.ts';

useHubEnvironment();

let tenant: Tenant;

describe('slow clients', () => {
  const body = 'x'.repeat(1_600);

  test('a slow client of live events is closed with 4408, and other clients are not affected', async () => {
    const server = await environment.startServer({ pollMs: 60_000, maxBufferedBytes: MIB / 4 });
    const busy = await environment.createTenant();
    const slow = environment.connect(server.url, busy.key);
    const swift = environment.connect(server.url, busy.key);
    await Promise.all([slow.receive(1), swift.receive(1)]);
    slow.socket.pause();
    let sent = 0;
    while (server.hub.stats().sockets === 2 && slow.socket.readyState === slow.socket.OPEN) {
      await environment.accept(busy, 100, server.bus, body);
      sent += 100;
      await swift.receive(1 + sent);
      // The server stops sending when it closes the socket, and cuts it without a response.
      if (sent >= 8_000) throw new Error('the slow client was not closed');
      if (sent >= 5_000) slow.socket.resume();
    }
    expect(await slow.closed).toBe(4408);
    expect(eventsOf(swift.frames)).toHaveLength(sent);
  });

  test('for a slow client with a long backlog, the server buffers only one page, and the client receives every event', async () => {
    let pages = 0;
    const server = await environment.startServer({
      events: {
        ...environment.events,
        async read(positions, limit) {
          pages += 1;
          return environment.events.read(positions, limit);
        },
      },
    });
    const busy = await environment.createTenant();
    const TOTAL = 6_000; // About 13 MB.
    for (let index = 0; index < TOTAL; index += 1_000)
      await environment.accept(busy, 1_000, undefined, body);
    const cursor = formatCursor(busy.workspaceId, at(0));
    const slow = environment.connect(`${server.url}?cursor=${cursor}`, busy.key);
    await slow.opened;
    slow.socket.pause();
    let before = -1;
    while (pages !== before) {
      before = pages;
      await delay(300);
    }
    // The kernel buffers several MB on loopback. The rest is not read from the database.
    expect(pages).toBeLessThan(60);
    expect(server.hub.stats().catchingUp).toBe(1);
    slow.socket.resume();
    const cursors = (await slow.receive(1 + TOTAL)).map(cursorOf);
    expect(cursors).toEqual(
      Array.from({ length: 1 + TOTAL }, (_, seq) => formatCursor(busy.workspaceId, at(seq))),
    );
    expect(server.hub.stats().catchingUp).toBe(0);
  });
});

describe('sockets', () => {
  beforeAll(async () => {
    tenant = await environment.createTenant();
  });

  test('a socket that does not respond to pings is closed, and a socket that responds stays open', async () => {
    const server = await environment.startServer({ pollMs: 20, pingMs: 3_000 });
    const mute = environment.connect(server.url, tenant.key, { autoPong: false });
    const healthy = environment.connect(server.url, tenant.key);
    await Promise.all([mute.receive(1), healthy.receive(1)]);
    let pings = 0;
    healthy.socket.on('ping', () => {
      pings += 1;
    });
    expect(await mute.closed).toBe(1006);
    await until(() => pings >= 3);
    expect(healthy.socket.readyState).toBe(healthy.socket.OPEN);
  });

  test('a client that asks for heartbeats receives them while nothing happens, and other clients receive none', async () => {
    const server = await environment.startServer();
    const quiet = await environment.createTenant();
    const asking = environment.connect(`${server.url}?heartbeat=5`, quiet.key);
    const other = environment.connect(server.url, quiet.key);
    const frames = await asking.receive(3);
    expect(frames.map(({ type }) => type)).toEqual(['ready', 'heartbeat', 'heartbeat']);
    await environment.accept(quiet, 1, server.bus);
    expect(eventsOf(await other.receive(2))).toHaveLength(1);
    expect(other.frames.map(({ type }) => type)).toEqual(['ready', 'message.created']);
    await until(() => asking.frames.some(({ type }) => type === 'message.created'));
  });

  test('frames of clients are ignored, and a frame over 16 KiB closes the socket with 1009', async () => {
    const server = await environment.startServer();
    const client = environment.connect(server.url, tenant.key);
    await client.receive(1);
    client.socket.send('x'.repeat(16 * 1024));
    await environment.accept(tenant, 1, server.bus);
    await client.receive(2);
    client.socket.send('x'.repeat(16 * 1024 + 1));
    expect(await client.closed).toBe(1009);
    await until(() => server.hub.stats().sockets === 0);
  });

  test.each([
    // `ws` itself limits the pongs that wait, and terminates the connection.
    ['pings', 1006, (socket: WebSocket) => socket.ping()],
    ['messages', 1008, (socket: WebSocket) => socket.send('{"type":"viewing"}')],
    ['empty fragments', 1008, (socket: WebSocket) => socket.send('', { fin: false })],
    ['texts of 10 kB', 1008, (socket: WebSocket) => socket.send('x'.repeat(10_000))],
  ])(
    'a socket that its client floods with %s is closed with %i, and others are not affected',
    async (_name, code, flood) => {
      const server = await environment.startServer();
      const flooding = environment.connect(server.url, tenant.key);
      const other = environment.connect(server.url, tenant.key);
      await Promise.all([flooding.receive(1), other.receive(1)]);
      for (let sent = 0; sent < 20_000 && flooding.socket.bufferedAmount < MIB; sent += 1) {
        flood(flooding.socket);
      }
      expect(await flooding.closed).toBe(code);
      await environment.accept(tenant, 1, server.bus);
      expect(eventsOf(await other.receive(2))).toHaveLength(1);
      flooding.socket.terminate();
      await until(() => server.hub.stats().sockets === 1);
    },
  );

  test('request timeouts do not close a socket', async () => {
    const server = await environment.startServer({
      http: {
        requestTimeout: 3_000,
        connectionTimeout: 3_000,
        keepAliveTimeout: 3_000,
        http: { headersTimeout: 3_000, connectionsCheckingInterval: 50 },
      },
    });
    const client = environment.connect(server.url, tenant.key);
    await client.receive(1);
    await delay(6_000);
    await environment.accept(tenant, 1, server.bus);
    expect(eventsOf(await client.receive(2))).toHaveLength(1);
  });
});

describe('shutdown of the hub', () => {
  beforeAll(async () => {
    tenant = await environment.createTenant();
  });

  test('a server that shuts down closes its sockets with 1001', async () => {
    const server = await environment.startServer();
    const clients = Array.from({ length: 5 }, () => environment.connect(server.url, tenant.key));
    await Promise.all(clients.map((client) => client.receive(1)));
    await server.close();
    expect(await Promise.all(clients.map((client) => client.closed))).toEqual(
      Array.from({ length: 5 }, () => 1001),
    );
    expect(server.hub.stats()).toMatchObject({ sockets: 0, workspaces: 0 });
  });

  test('a server that shuts down does not wait for clients that do not respond', async () => {
    const server = await environment.startServer({ closeMs: 200 });
    const client = environment.connect(server.url, tenant.key);
    await client.receive(1);
    client.socket.pause();
    const startedAt = performance.now();
    await server.hub.close();
    await until(() => server.hub.stats().sockets === 0);
    // The client would never close its socket.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});
