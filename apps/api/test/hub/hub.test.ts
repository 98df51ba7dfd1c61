import { type BusNotification, lastIn } from '@switchboard/core';
import { beforeAll, describe, expect, test } from 'vitest';
import { formatCursor } from '../../src/events/cursor.ts';
import { type Tenant, cursorOf, eventsOf, until } from '../events-environment.ts';
import { at, environment, countEvents, silentBus, useHubEnvironment } from './environment.ts';

useHubEnvironment();

let tenant: Tenant;

describe('lost notifications', () => {
  beforeAll(async () => {
    tenant = await environment.createTenant();
  });

  test('events without a notification are delivered by polling the counters', async () => {
    const server = await environment.startServer({ bus: silentBus, pollMs: 50 });
    const client = environment.connect(server.url, tenant.key);
    await client.receive(1);
    const [id = ''] = await environment.accept(tenant, 1);
    await client.receive(2);
    await environment.advance(id, 'sent');
    const types = eventsOf(await client.receive(3)).map((frame) => frame.type);
    expect(types).toEqual(['message.created', 'message.updated']);
  });

  test('a gap in the notifications of the bus causes an immediate poll of the counters', async () => {
    let reportGap: () => void = () => undefined;
    const bus = {
      ...silentBus,
      onGap: (listener: () => void) => {
        reportGap = listener;
        return () => undefined;
      },
    };
    const server = await environment.startServer({ bus, pollMs: 60_000 });
    const client = environment.connect(server.url, tenant.key);
    await client.receive(1);
    // More than one page.
    const ids = await environment.accept(tenant, 2_500);
    reportGap();
    const seen = eventsOf(await client.receive(2_501)).map((frame) => frame.message.id);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  test('while database reads hang, the lag includes the events whose notifications arrive', async () => {
    let release: () => void = () => undefined;
    let responses: Promise<void> = Promise.resolve();
    let reads = 0;
    const server = await environment.startServer({
      pollMs: 20,
      events: {
        async read(positions, limit) {
          await responses;
          const pages = await environment.events.read(positions, limit);
          reads += 1;
          return pages;
        },
        async readCounters(workspaceIds) {
          const counters = await environment.events.readCounters(workspaceIds);
          await responses;
          return counters;
        },
      },
    });
    const client = environment.connect(server.url, tenant.key);
    await client.receive(1);
    // The read at the join could otherwise include the events below.
    await until(() => reads === 1);
    responses = new Promise((resolve) => {
      release = resolve;
    });
    await environment.accept(tenant, 5, server.bus);
    await until(() => server.hub.stats().lagEvents === 5);
    release();
    expect(eventsOf(await client.receive(6))).toHaveLength(5);
    await until(() => server.hub.stats().lagEvents === 0);
  });

  test('a socket is closed after the end of its session, API key or membership, even without a notification', async () => {
    const server = await environment.startServer({ bus: silentBus, pollMs: 20, accessCheckMs: 60 });
    const { pool } = environment.database;
    const stays = environment.connect(server.uiUrl(tenant), tenant.token);
    const ended = await environment.createTenant();
    const session = environment.connect(server.uiUrl(ended), ended.token);
    const program = environment.connect(server.url, ended.key);
    await Promise.all([stays, session, program].map((client) => client.receive(1)));

    await pool.query('DELETE FROM sessions WHERE id = $1', [ended.sessionId]);
    expect(await session.closed).toBe(4401);
    await pool.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [ended.apiKeyId]);
    expect(await program.closed).toBe(4401);

    const removed = await environment.createTenant();
    const member = environment.connect(server.uiUrl(removed), removed.token);
    await member.receive(1);
    await pool.query('DELETE FROM members WHERE user_id = $1', [removed.userId]);
    expect(await member.closed).toBe(4403);
    expect(stays.socket.readyState).toBe(stays.socket.OPEN);
  });

  test('a socket is closed when its API key expires, or when the overlap of its secret ends after a rotation', async () => {
    const server = await environment.startServer({ bus: silentBus, pollMs: 20, accessCheckMs: 60 });
    const { pool } = environment.database;
    const [brief, rotated] = [await environment.createTenant(), await environment.createTenant()];
    const sockets = [brief, rotated].map(({ key }) => environment.connect(server.url, key));
    await Promise.all(sockets.map((socket) => socket.receive(1)));
    const [expiring, old] = sockets;

    await pool.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [brief.apiKeyId]);
    expect(await expiring?.closed).toBe(4401);

    await pool.query(
      `INSERT INTO replaced_keys (workspace_id, api_key_id, version, key_hash, ends_at)
       SELECT workspace_id, id, 1, key_hash, now() + interval '1 hour' FROM api_keys WHERE id = $1`,
      [rotated.apiKeyId],
    );
    await pool.query(`UPDATE api_keys SET version = 2, key_hash = sha256(key_hash) WHERE id = $1`, [
      rotated.apiKeyId,
    ]);
    const late = environment.connect(server.url, rotated.key);
    await late.receive(1);
    expect(old?.socket.readyState).toBe(late.socket.OPEN);
    await pool.query('UPDATE replaced_keys SET ends_at = now() WHERE api_key_id = $1', [
      rotated.apiKeyId,
    ]);
    expect(await Promise.all([old?.closed, late.closed])).toEqual([4401, 4401]);
  });

  test('a socket is closed when its session expires', async () => {
    const server = await environment.startServer({ bus: silentBus, pollMs: 20 });
    const brief = await environment.createTenant();
    await environment.database.pool.query(
      "UPDATE sessions SET expires_at = now() + interval '12 seconds' WHERE id = $1",
      [brief.sessionId],
    );
    const client = environment.connect(server.uiUrl(brief), brief.token);
    await client.receive(1);
    expect(await client.closed).toBe(4401);
  });
});

describe('joining clients', () => {
  beforeAll(async () => {
    tenant = await environment.createTenant();
    await environment.accept(tenant, 10);
  });

  const places = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) =>
      formatCursor(tenant.workspaceId, at(from + index)),
    );

  test('a client misses no event between the read of the counter and the upgrade', async () => {
    let beforeUpgrade: () => Promise<unknown> = async () => undefined;
    const server = await environment.startServer({
      pollMs: 60_000,
      events: {
        ...environment.events,
        async readCounters(workspaceIds) {
          const counters = await environment.events.readCounters(workspaceIds);
          await beforeUpgrade();
          return counters;
        },
      },
    });
    // The workspace has no client yet, so its notification is ignored.
    beforeUpgrade = async () => {
      const notified = new Promise<void>((resolve) => {
        const unsubscribe = server.bus.subscribe(() => {
          unsubscribe();
          resolve();
        });
      });
      await environment.accept(tenant, 1, server.bus);
      await notified;
    };
    const first = environment.connect(server.url, tenant.key);
    expect((await first.receive(2)).map(cursorOf)).toEqual(places(10, 11));
    // Now the workspace has a client, so the feed is ahead of the joining client.
    beforeUpgrade = async () => {
      await environment.accept(tenant, 1, server.bus);
      await first.receive(3);
    };
    const second = environment.connect(server.url, tenant.key);
    expect((await second.receive(2)).map(cursorOf)).toEqual(places(11, 12));
  });

  test('one read serves all clients that resume within the same page, each from its own position', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const starts: number[] = [];
    const server = await environment.startServer({
      events: {
        ...environment.events,
        async read(positions, limit) {
          starts.push(...positions.map(({ after }) => lastIn(after, 0)));
          await gate;
          return environment.events.read(positions, limit);
        },
      },
    });
    const resume = (seq: number) => {
      const cursor = formatCursor(tenant.workspaceId, at(seq));
      return { seq, client: environment.connect(`${server.url}?cursor=${cursor}`, tenant.key) };
    };
    const first = resume(0);
    await until(() => starts.includes(0));
    const clients = [first, resume(7), resume(3)];
    await until(() => server.hub.stats().catchingUp === 3);
    open();
    const last = await countEvents(tenant);
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
  test('a database outage delays live and resumed events but loses none', async () => {
    const target = await environment.createTenant();
    await environment.accept(target, 3);
    const errors: unknown[] = [];
    const failing = { counters: false, reads: false };
    const fail = () => Promise.reject(new Error('database unavailable'));
    const server = await environment.startServer({
      pollMs: 30,
      onError: (error) => void errors.push(error),
      events: {
        readCounters: (ids) => (failing.counters ? fail() : environment.events.readCounters(ids)),
        read: (positions, limit) =>
          failing.reads ? fail() : environment.events.read(positions, limit),
      },
      readActiveAccess: fail,
    });
    const live = environment.connect(server.url, target.key);
    await live.receive(1);
    failing.reads = true;
    const cursor = formatCursor(target.workspaceId, at(0));
    const resumed = environment.connect(`${server.url}?cursor=${cursor}`, target.key);
    await resumed.receive(1);
    failing.counters = true;
    await environment.accept(target, 2, server.bus);
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
    const server = await environment.startServer({ bus, pollMs: 60_000 });
    const target = await environment.createTenant();
    const client = environment.connect(server.url, target.key);
    await client.receive(1);
    await environment.accept(target, 3);
    const { workspaceId } = target;
    for (const seq of [99, 3, 3, 1, 2, 99]) {
      const notification: BusNotification = { kind: 'message', workspaceId, messageId: 'm', seq };
      for (const listener of listeners) listener(notification);
    }
    await client.receive(4);
    await environment.accept(target, 1);
    for (const listener of listeners) {
      listener({ kind: 'message', workspaceId, messageId: 'm', seq: 4 });
    }
    const cursors = (await client.receive(5)).map(cursorOf);
    expect(cursors).toEqual([0, 1, 2, 3, 4].map((seq) => formatCursor(workspaceId, at(seq))));
  });
});
