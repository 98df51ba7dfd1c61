import { positionOf } from '@switchboard/core';
import { withRetention } from '@switchboard/database';
import { beforeAll, describe, expect, test, onTestFinished } from 'vitest';
import { formatCursor, parseCursor } from '../../src/events/cursor.ts';
import { type Tenant, cursorOf, eventsOf, until } from '../events-environment.ts';
import { EPOCH, at, environment, countEvents, useHubEnvironment } from './environment.ts';

useHubEnvironment();

let tenant: Tenant;

describe('cursors that cannot be resumed', () => {
  beforeAll(async () => {
    tenant = await environment.createTenant();
    await environment.accept(tenant, 10);
  });

  test('a client with a cursor of deleted events receives a resync to the present and then live events', async () => {
    const server = await environment.startServer();
    const { workspaceId } = tenant;
    const before = new Date(Date.now() + 60_000);
    await withRetention(environment.database, (store) =>
      store.deleteEvents({ workspaceId, before, afterSeq: 0, limit: 5 }),
    );
    const old = formatCursor(tenant.workspaceId, at(3));
    const client = environment.connect(`${server.url}?cursor=${old}`, tenant.key);
    const current = formatCursor(tenant.workspaceId, at(10));
    expect(await client.receive(2)).toEqual([
      { type: 'ready', cursor: old },
      { type: 'resync', cursor: current },
    ]);
    const [id] = await environment.accept(tenant, 1, server.bus);
    const [event] = eventsOf(await client.receive(3));
    expect(event?.message.id).toBe(id);

    const edge = formatCursor(tenant.workspaceId, at(5));
    const oldest = environment.connect(`${server.url}?cursor=${edge}`, tenant.key);
    expect(eventsOf(await oldest.receive(7))).toHaveLength(6);
  });

  test('a client with a cursor ahead of the database receives a resync to the present and then live events', async () => {
    const server = await environment.startServer();
    const last = await countEvents(tenant);
    const ahead = formatCursor(tenant.workspaceId, at(last + 1_000));
    const client = environment.connect(`${server.url}?cursor=${ahead}`, tenant.key);
    const current = formatCursor(tenant.workspaceId, at(last));
    expect(await client.receive(2)).toEqual([
      { type: 'ready', cursor: ahead },
      { type: 'resync', cursor: current },
    ]);
    const [id] = await environment.accept(tenant, 1, server.bus);
    const [event] = eventsOf(await client.receive(3));
    expect(event?.message.id).toBe(id);
  });

  test('a client receives a resync when the database is restored from a backup', async () => {
    const server = await environment.startServer({ pollMs: 50 });
    const restored = await environment.createTenant();
    await environment.accept(restored, 6);
    const client = environment.connect(server.url, restored.key);
    await client.receive(1);
    const { pool } = environment.database;
    const where = [restored.workspaceId];
    await pool.query('DELETE FROM message_events WHERE workspace_id = $1 AND seq > 2', where);
    await pool.query('UPDATE event_counters SET last_seq = 2 WHERE workspace_id = $1', where);
    const frames = await client.receive(2);
    const cursor = formatCursor(restored.workspaceId, at(2));
    expect(frames[1]).toEqual({ type: 'resync', cursor });
    const [id] = await environment.accept(restored, 1, server.bus);
    const [event] = eventsOf(await client.receive(3));
    expect(event?.message.id).toBe(id);
  });

  test('live and returning clients receive a resync when a restored database has passed their cursor again', async () => {
    const server = await environment.startServer({ pollMs: 50 });
    const restored = await environment.createTenant();
    const { pool } = environment.database;
    onTestFinished(async () => {
      await pool.query('UPDATE event_epoch SET restore_id = 0');
    });
    await environment.accept(restored, 6);
    const live = environment.connect(server.url, restored.key);
    const [ready] = await live.receive(1);
    const before = cursorOf(ready);

    // A restored backup with fewer events, after which more events have been stored.
    await pool.query('UPDATE event_epoch SET restore_id = 4294967295');
    await environment.accept(restored, 3);
    const findResync = () => live.frames.find(({ type }) => type === 'resync');
    await until(() => findResync() !== undefined);
    const last = await countEvents(restored);
    const after = { epoch: expect.stringMatching(/^[0-9a-f]{8}ffffffff$/) as string };
    expect(parseCursor(restored.workspaceId, cursorOf(findResync()))).toMatchObject(after);

    const old = environment.connect(`${server.url}?cursor=${before}`, restored.key);
    const [echo, again] = await old.receive(2);
    expect([echo?.type, cursorOf(echo), again?.type]).toEqual(['ready', before, 'resync']);
    expect(parseCursor(restored.workspaceId, cursorOf(again))).toEqual({
      epoch: after.epoch,
      position: positionOf([last]),
    });

    // The new cursor resumes without a gap and without a second resync.
    const [id] = await environment.accept(restored, 1, server.bus);
    const resumed = environment.connect(`${server.url}?cursor=${cursorOf(again)}`, restored.key);
    const frames = await resumed.receive(2);
    expect(frames.map(({ type }) => type)).toEqual(['ready', 'message.created']);
    expect(eventsOf(frames)[0]?.message.id).toBe(id);
  });

  test('clients receive a resync after a failover that one of them detects before the feed does', async () => {
    let epoch = EPOCH;
    const server = await environment.startServer({
      pollMs: 60_000,
      events: {
        ...environment.events,
        readCounters: async (ids) => ({ ...(await environment.events.readCounters(ids)), epoch }),
      },
    });
    const moved = await environment.createTenant();
    await environment.accept(moved, 4);
    const live = environment.connect(server.url, moved.key);
    const before = cursorOf((await live.receive(1))[0]);
    epoch = '0000000200000000';
    const back = environment.connect(`${server.url}?cursor=${before}`, moved.key);
    const current = formatCursor(moved.workspaceId, { epoch, position: positionOf([4]) });
    for (const client of [live, back]) {
      // The first client may receive an earlier resync, which the feed corrects.
      await until(() => client.frames.some((frame) => cursorOf(frame) === current));
      expect(client.frames.at(-1)).toMatchObject({ type: 'resync', cursor: current });
    }
  });
});
