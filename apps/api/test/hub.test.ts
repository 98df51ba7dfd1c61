import { setTimeout as delay } from 'node:timers/promises';
import type { BusNotification } from '@switchboard/core';
import { withRetention } from '@switchboard/database';
import { afterAll, afterEach, beforeAll, describe, expect, test, onTestFinished } from 'vitest';
import { formatCursor, parseCursor } from '../src/events/cursor.ts';
import { type Bench, type Tenant, createBench, cursorOf, eventsOf, until } from './events-bench.ts';

let bench: Bench;
let tenant: Tenant;

beforeAll(async () => {
  bench = await createBench({ redisUrl: null, channel: 'hub' });
});

afterEach(() => {
  if (bench.errors.length > 0)
    throw new AggregateError(bench.errors, 'background errors of the hub');
});

afterAll(() => bench.close());

/** A bus that delivers no notifications. */
const silentBus = { subscribe: () => () => undefined, onGap: () => () => undefined };
const MIB = 1024 * 1024;
/** Returns a position in the current epoch of the test database. */
const at = (seq: number) => ({ epoch: null, seq });

describe('lost notifications', () => {
  beforeAll(async () => {
    tenant = await bench.createTenant();
  });

  test('events without a notification are delivered by polling the counters', async () => {
    const server = await bench.startServer({ bus: silentBus, pollMs: 50 });
    const client = bench.connect(server.url, tenant.key);
    await client.receive(1);
    const [id = ''] = await bench.accept(tenant, 1);
    await client.receive(2);
    await bench.advance(id, 'sent');
    const types = eventsOf(await client.receive(3)).map((frame) => frame.type);
    expect(types).toEqual(['message.created', 'message.updated']);
  });

  test('a gap of the bus causes an immediate poll of the counters', async () => {
    let reportGap: () => void = () => undefined;
    const bus = {
      ...silentBus,
      onGap: (listener: () => void) => {
        reportGap = listener;
        return () => undefined;
      },
    };
    const server = await bench.startServer({ bus, pollMs: 60_000 });
    const client = bench.connect(server.url, tenant.key);
    await client.receive(1);
    // More than one page.
    const ids = await bench.accept(tenant, 2_500);
    reportGap();
    const seen = eventsOf(await client.receive(2_501)).map((frame) => frame.message.id);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  test('a socket is closed after the end of its session, API key or membership, also without a notification', async () => {
    const server = await bench.startServer({ bus: silentBus, pollMs: 20, accessCheckMs: 60 });
    const { pool } = bench.database;
    const stays = bench.connect(server.uiUrl(tenant), tenant.token);
    const ended = await bench.createTenant();
    const session = bench.connect(server.uiUrl(ended), ended.token);
    const program = bench.connect(server.url, ended.key);
    await Promise.all([stays, session, program].map((client) => client.receive(1)));

    await pool.query('DELETE FROM sessions WHERE id = $1', [ended.sessionId]);
    expect(await session.closed).toBe(4401);
    await pool.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [ended.apiKeyId]);
    expect(await program.closed).toBe(4401);

    const removed = await bench.createTenant();
    const member = bench.connect(server.uiUrl(removed), removed.token);
    await member.receive(1);
    await pool.query('DELETE FROM members WHERE user_id = $1', [removed.userId]);
    expect(await member.closed).toBe(4403);
    expect(stays.socket.readyState).toBe(stays.socket.OPEN);
  });

  test('a socket is closed when its session expires', async () => {
    const server = await bench.startServer({ bus: silentBus, pollMs: 20 });
    const brief = await bench.createTenant();
    await bench.database.pool.query(
      "UPDATE sessions SET expires_at = now() + interval '500 milliseconds' WHERE id = $1",
      [brief.sessionId],
    );
    const client = bench.connect(server.uiUrl(brief), brief.token);
    await client.receive(1);
    expect(await client.closed).toBe(4401);
  });
});

describe('joining clients', () => {
  beforeAll(async () => {
    tenant = await bench.createTenant();
    await bench.accept(tenant, 10);
  });

  const places = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) =>
      formatCursor(tenant.workspaceId, at(from + index)),
    );

  test('a client misses no event between the read of the counter and the upgrade', async () => {
    let beforeUpgrade: () => Promise<unknown> = async () => undefined;
    const server = await bench.startServer({
      pollMs: 60_000,
      events: {
        ...bench.events,
        async readCounters(workspaceIds) {
          const counters = await bench.events.readCounters(workspaceIds);
          await beforeUpgrade();
          return counters;
        },
      },
    });
    // The workspace has no client yet, so that its notification is ignored.
    beforeUpgrade = async () => {
      const notified = new Promise<void>((resolve) => {
        const unsubscribe = server.bus.subscribe(() => {
          unsubscribe();
          resolve();
        });
      });
      await bench.accept(tenant, 1, server.bus);
      await notified;
    };
    const first = bench.connect(server.url, tenant.key);
    expect((await first.receive(2)).map(cursorOf)).toEqual(places(10, 11));
    // Now it has a client, so that the feed is ahead of the joining one.
    beforeUpgrade = async () => {
      await bench.accept(tenant, 1, server.bus);
      await first.receive(3);
    };
    const second = bench.connect(server.url, tenant.key);
    expect((await second.receive(2)).map(cursorOf)).toEqual(places(11, 12));
  });

  test('one read serves all clients that resume within the same page, each from its own position', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const starts: number[] = [];
    const server = await bench.startServer({
      events: {
        ...bench.events,
        async read(positions, limit) {
          starts.push(...positions.map((position) => position.after));
          await gate;
          return bench.events.read(positions, limit);
        },
      },
    });
    const resume = (seq: number) => {
      const cursor = formatCursor(tenant.workspaceId, at(seq));
      return { seq, client: bench.connect(`${server.url}?cursor=${cursor}`, tenant.key) };
    };
    const first = resume(0);
    await until(() => starts.includes(0));
    const clients = [first, resume(7), resume(3)];
    await until(() => server.hub.stats().catchingUp === 3);
    open();
    const { last } = await bench.events.readRange(tenant.workspaceId);
    for (const { seq, client } of clients) {
      const cursors = (await client.receive(1 + last - seq)).map(cursorOf);
      expect(cursors).toEqual(places(seq, last));
    }
    await until(() => server.hub.stats().catchingUp === 0);
    // One read for the resuming clients and one for new events.
    expect(starts.filter((after) => after < last)).toHaveLength(1);
  });
});

describe('database outages', () => {
  test('an outage of the database delays live and resumed events and loses none', async () => {
    const target = await bench.createTenant();
    await bench.accept(target, 3);
    const errors: unknown[] = [];
    const failing = { counters: false, reads: false };
    const fail = () => Promise.reject(new Error('database unavailable'));
    const server = await bench.startServer({
      pollMs: 30,
      onError: (error) => void errors.push(error),
      events: {
        readCounters: (ids) => (failing.counters ? fail() : bench.events.readCounters(ids)),
        read: (positions, limit) => (failing.reads ? fail() : bench.events.read(positions, limit)),
      },
      readActiveAccess: fail,
    });
    const live = bench.connect(server.url, target.key);
    await live.receive(1);
    failing.reads = true;
    const cursor = formatCursor(target.workspaceId, at(0));
    const resumed = bench.connect(`${server.url}?cursor=${cursor}`, target.key);
    await resumed.receive(1);
    failing.counters = true;
    await bench.accept(target, 2, server.bus);
    const before = errors.length;
    await until(() => errors.length >= before + 3);
    failing.counters = false;
    failing.reads = false;
    expect(eventsOf(await live.receive(3))).toHaveLength(2);
    expect(eventsOf(await resumed.receive(6))).toHaveLength(5);
  });
});

describe('misleading notifications', () => {
  test('early, repeated and invented notifications cause no missing, repeated or invented event', async () => {
    const listeners = new Set<(notification: BusNotification) => void>();
    const bus = {
      ...silentBus,
      subscribe: (listener: (notification: BusNotification) => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
    const server = await bench.startServer({ bus, pollMs: 60_000 });
    const target = await bench.createTenant();
    const client = bench.connect(server.url, target.key);
    await client.receive(1);
    await bench.accept(target, 3);
    const { workspaceId } = target;
    for (const seq of [99, 3, 3, 1, 2, 99]) {
      const notification: BusNotification = { kind: 'message', workspaceId, messageId: 'm', seq };
      for (const listener of listeners) listener(notification);
    }
    await client.receive(4);
    await bench.accept(target, 1);
    for (const listener of listeners) {
      listener({ kind: 'message', workspaceId, messageId: 'm', seq: 4 });
    }
    const cursors = (await client.receive(5)).map(cursorOf);
    expect(cursors).toEqual([0, 1, 2, 3, 4].map((seq) => formatCursor(workspaceId, at(seq))));
  });
});

describe('cursors that cannot be resumed', () => {
  beforeAll(async () => {
    tenant = await bench.createTenant();
    await bench.accept(tenant, 10);
  });

  test('a cursor of deleted events receives a resync to the present and then live events', async () => {
    const server = await bench.startServer();
    const { workspaceId } = tenant;
    const before = new Date(Date.now() + 60_000);
    await withRetention(bench.database, (store) =>
      store.deleteEvents({ workspaceId, before, afterSeq: 0, limit: 5 }),
    );
    const old = formatCursor(tenant.workspaceId, at(3));
    const client = bench.connect(`${server.url}?cursor=${old}`, tenant.key);
    const current = formatCursor(tenant.workspaceId, at(10));
    expect(await client.receive(2)).toEqual([
      { type: 'ready', cursor: old },
      { type: 'resync', cursor: current },
    ]);
    const [id] = await bench.accept(tenant, 1, server.bus);
    const [event] = eventsOf(await client.receive(3));
    expect(event?.message.id).toBe(id);

    const edge = formatCursor(tenant.workspaceId, at(5));
    const oldest = bench.connect(`${server.url}?cursor=${edge}`, tenant.key);
    expect(eventsOf(await oldest.receive(7))).toHaveLength(6);
  });

  test('a cursor ahead of the database receives a resync to the present and then live events', async () => {
    const server = await bench.startServer();
    const last = await bench.events.readRange(tenant.workspaceId);
    const ahead = formatCursor(tenant.workspaceId, at(last.last + 1_000));
    const client = bench.connect(`${server.url}?cursor=${ahead}`, tenant.key);
    const current = formatCursor(tenant.workspaceId, at(last.last));
    expect(await client.receive(2)).toEqual([
      { type: 'ready', cursor: ahead },
      { type: 'resync', cursor: current },
    ]);
    const [id] = await bench.accept(tenant, 1, server.bus);
    const [event] = eventsOf(await client.receive(3));
    expect(event?.message.id).toBe(id);
  });

  test('a client receives a resync when the database is restored from a backup', async () => {
    const server = await bench.startServer({ pollMs: 50 });
    const restored = await bench.createTenant();
    await bench.accept(restored, 6);
    const client = bench.connect(server.url, restored.key);
    await client.receive(1);
    const { pool } = bench.database;
    const where = [restored.workspaceId];
    await pool.query('DELETE FROM message_events WHERE workspace_id = $1 AND seq > 2', where);
    await pool.query('UPDATE event_counters SET last_seq = 2 WHERE workspace_id = $1', where);
    const frames = await client.receive(2);
    const cursor = formatCursor(restored.workspaceId, at(2));
    expect(frames[1]).toEqual({ type: 'resync', cursor });
    const [id] = await bench.accept(restored, 1, server.bus);
    const [event] = eventsOf(await client.receive(3));
    expect(event?.message.id).toBe(id);
  });

  test('live and returning clients receive a resync when a restored database has passed their cursor again', async () => {
    const server = await bench.startServer({ pollMs: 50 });
    const restored = await bench.createTenant();
    const { pool } = bench.database;
    onTestFinished(async () => {
      await pool.query('UPDATE event_epoch SET restore_id = 0');
    });
    await bench.accept(restored, 6);
    const live = bench.connect(server.url, restored.key);
    const [ready] = await live.receive(1);
    const before = cursorOf(ready);

    // A restored backup with fewer events, after which more events have been stored.
    await pool.query('UPDATE event_epoch SET restore_id = 4294967295');
    await bench.accept(restored, 3);
    const findResync = () => live.frames.find(({ type }) => type === 'resync');
    await until(() => findResync() !== undefined);
    const { last } = await bench.events.readRange(restored.workspaceId);
    const after = { epoch: expect.stringMatching(/^[0-9a-f]{8}ffffffff$/) as string };
    expect(parseCursor(restored.workspaceId, cursorOf(findResync()))).toMatchObject(after);

    const old = bench.connect(`${server.url}?cursor=${before}`, restored.key);
    const [echo, again] = await old.receive(2);
    expect([echo?.type, cursorOf(echo), again?.type]).toEqual(['ready', before, 'resync']);
    expect(parseCursor(restored.workspaceId, cursorOf(again))).toEqual({
      epoch: after.epoch,
      seq: last,
    });

    // The new cursor resumes without a gap and without a second resync.
    const [id] = await bench.accept(restored, 1, server.bus);
    const resumed = bench.connect(`${server.url}?cursor=${cursorOf(again)}`, restored.key);
    const frames = await resumed.receive(2);
    expect(frames.map(({ type }) => type)).toEqual(['ready', 'message.created']);
    expect(eventsOf(frames)[0]?.message.id).toBe(id);
  });

  test('clients receive a resync after a failover that one of them detects before the feed does', async () => {
    let epoch: string | null = null;
    const server = await bench.startServer({
      pollMs: 60_000,
      events: {
        ...bench.events,
        readCounters: async (ids) => ({ ...(await bench.events.readCounters(ids)), epoch }),
      },
    });
    const moved = await bench.createTenant();
    await bench.accept(moved, 4);
    const live = bench.connect(server.url, moved.key);
    const before = cursorOf((await live.receive(1))[0]);
    epoch = '0000000200000000';
    const back = bench.connect(`${server.url}?cursor=${before}`, moved.key);
    const current = formatCursor(moved.workspaceId, { epoch, seq: 4 });
    for (const client of [live, back]) {
      // The first client may receive an earlier resync, which the feed corrects.
      await until(() => client.frames.some((frame) => cursorOf(frame) === current));
      expect(client.frames.at(-1)).toMatchObject({ type: 'resync', cursor: current });
    }
  });
});

describe('slow clients', () => {
  const body = 'x'.repeat(1_600);

  test('a slow client of live events is closed with 4408, and other clients are not affected', async () => {
    const server = await bench.startServer({ pollMs: 60_000, maxBufferedBytes: MIB / 4 });
    const busy = await bench.createTenant();
    const slow = bench.connect(server.url, busy.key);
    const swift = bench.connect(server.url, busy.key);
    await Promise.all([slow.receive(1), swift.receive(1)]);
    slow.socket.pause();
    let sent = 0;
    while (server.hub.stats().sockets === 2 && slow.socket.readyState === slow.socket.OPEN) {
      await bench.accept(busy, 100, server.bus, body);
      sent += 100;
      await swift.receive(1 + sent);
      // The server stops sending when it closes the socket, and cuts it without a response.
      if (sent >= 8_000) throw new Error('the slow client was not closed');
      if (sent >= 5_000) slow.socket.resume();
    }
    expect(await slow.closed).toBe(4408);
    expect(eventsOf(swift.frames)).toHaveLength(sent);
  });

  test('a slow client with a long backlog buffers only a page of it and receives every event', async () => {
    let pages = 0;
    const server = await bench.startServer({
      events: {
        ...bench.events,
        async read(positions, limit) {
          pages += 1;
          return bench.events.read(positions, limit);
        },
      },
    });
    const busy = await bench.createTenant();
    const TOTAL = 6_000; // About 13 MB.
    for (let index = 0; index < TOTAL; index += 1_000)
      await bench.accept(busy, 1_000, undefined, body);
    const cursor = formatCursor(busy.workspaceId, at(0));
    const slow = bench.connect(`${server.url}?cursor=${cursor}`, busy.key);
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
    tenant = await bench.createTenant();
  });

  test('a socket that does not answer pings is cut, and one that does stays open', async () => {
    const server = await bench.startServer({ pollMs: 20, pingMs: 100 });
    const mute = bench.connect(server.url, tenant.key, { autoPong: false });
    const healthy = bench.connect(server.url, tenant.key);
    await Promise.all([mute.receive(1), healthy.receive(1)]);
    let pings = 0;
    healthy.socket.on('ping', () => {
      pings += 1;
    });
    expect(await mute.closed).toBe(1006);
    await until(() => pings >= 5);
    expect(healthy.socket.readyState).toBe(healthy.socket.OPEN);
  });

  test('frames of clients are ignored, and a frame over 16 KiB closes the socket with 1009', async () => {
    const server = await bench.startServer();
    const client = bench.connect(server.url, tenant.key);
    await client.receive(1);
    client.socket.send('x'.repeat(16 * 1024));
    await bench.accept(tenant, 1, server.bus);
    await client.receive(2);
    client.socket.send('x'.repeat(16 * 1024 + 1));
    expect(await client.closed).toBe(1009);
    await until(() => server.hub.stats().sockets === 0);
  });

  test('a socket is not closed by the timeouts of requests', async () => {
    const server = await bench.startServer({
      http: {
        requestTimeout: 200,
        connectionTimeout: 200,
        keepAliveTimeout: 200,
        http: { headersTimeout: 200, connectionsCheckingInterval: 50 },
      },
    });
    const client = bench.connect(server.url, tenant.key);
    await client.receive(1);
    await delay(1_000);
    await bench.accept(tenant, 1, server.bus);
    expect(eventsOf(await client.receive(2))).toHaveLength(1);
  });
});

describe('shutdown of the hub', () => {
  beforeAll(async () => {
    tenant = await bench.createTenant();
  });

  test('a server that shuts down closes its sockets with 1001', async () => {
    const server = await bench.startServer();
    const clients = Array.from({ length: 5 }, () => bench.connect(server.url, tenant.key));
    await Promise.all(clients.map((client) => client.receive(1)));
    await server.close();
    expect(await Promise.all(clients.map((client) => client.closed))).toEqual(
      Array.from({ length: 5 }, () => 1001),
    );
    expect(server.hub.stats()).toMatchObject({ sockets: 0, workspaces: 0 });
  });

  test('a server that shuts down does not wait for clients that do not respond', async () => {
    const server = await bench.startServer({ closeMs: 200 });
    const client = bench.connect(server.url, tenant.key);
    await client.receive(1);
    client.socket.pause();
    const startedAt = performance.now();
    await server.hub.close();
    await until(() => server.hub.stats().sockets === 0);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});
