import { START_OF_EVENTS, lastIn } from '@switchboard/core';
import { createTestRedis, type TestRedis, updateMessages } from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseCursor } from '../src/events/cursor.ts';
import {
  type Environment,
  type Server,
  type Tenant,
  createEnvironment,
  cursorOf,
  eventsOf,
  until,
} from './events-environment.ts';

describe.each(['PostgreSQL', 'Redis'])('events over WebSockets, with the bus on %s', (backend) => {
  let redis: TestRedis | undefined;
  let environment: Environment;
  let tenant: Tenant;
  let server: Server;
  /** The process that causes the events, so that they reach the clients through the bus. */
  let elsewhere: Server;

  beforeAll(async () => {
    redis = backend === 'Redis' ? await createTestRedis() : undefined;
    environment = await createEnvironment({
      redisUrl: redis?.url ?? null,
      channel: `${redis?.prefix ?? 'test'}-events`,
    });
    // The polling interval is so long that only notifications deliver events in time.
    server = await environment.startServer({ pollMs: 60_000 });
    elsewhere = await environment.startServer({ pollMs: 60_000 });
    tenant = await environment.createTenant();
  });

  afterAll(async () => {
    await environment.close();
    await redis?.close();
  });

  test('sessions and API keys receive ready, then created, then each update', async () => {
    const session = environment.connect(server.uiUrl(tenant), tenant.token);
    const program = environment.connect(server.url, tenant.key);
    await Promise.all([session.receive(1), program.receive(1)]);
    const [id = ''] = await environment.accept(tenant, 1, elsewhere.bus);
    await environment.advance(id, 'sent', elsewhere.bus);
    await environment.advance(id, 'delivered', elsewhere.bus);
    const frames = await session.receive(4);
    expect(frames[0]).toEqual({ type: 'ready', cursor: expect.any(String) as string });
    const seen = eventsOf(frames);
    expect(seen.map((frame) => [frame.type, frame.message.id, frame.message.status])).toEqual([
      ['message.created', id, 'queued'],
      ['message.updated', id, 'sent'],
      ['message.updated', id, 'delivered'],
    ]);
    expect(new Set(seen.map((frame) => frame.workspace_id))).toEqual(new Set([tenant.workspaceId]));
    expect(eventsOf(await program.receive(4))).toEqual(seen);
  });

  test('a resumed client receives what a live one received, whatever has changed since the events', async () => {
    const sender = await environment.createTenant();
    const sql = (text: string) => environment.database.pool.query(text, [sender.workspaceId]);
    await sql(
      `INSERT INTO provider_accounts (id, workspace_id, type, vendor_account_id, sealed_secret,
         secret_last4, created_at, updated_at)
       VALUES (uuid_v7(now()), $1, 'twilio', 'AC1', 'sealed', 'last', now(), now())`,
    );
    const live = environment.connect(server.url, sender.key);
    const [ready] = await live.receive(1);
    const [id = ''] = await environment.accept(sender, 1, elsewhere.bus);
    await environment.advance(id, 'sent', elsewhere.bus);
    await environment.advance(id, 'delivered', elsewhere.bus);
    const seen = eventsOf(await live.receive(4));
    const providers = seen.map((frame) => frame.message.provider?.type ?? null);
    expect(providers).toEqual([null, 'twilio', 'twilio']);
    await sql('DELETE FROM provider_accounts WHERE workspace_id = $1');
    await sql(`UPDATE api_keys SET name = 'New name' WHERE workspace_id = $1`);
    await updateMessages(environment.database.pool, {
      set: `provider_id = uuid_v7(now()), status = 'failed', error_code = '1'`,
      where: 'workspace_id = $1',
      values: [sender.workspaceId],
    });
    const resumed = environment.connect(`${server.url}?cursor=${cursorOf(ready)}`, sender.key);
    expect(eventsOf(await resumed.receive(4))).toEqual(seen);
  });

  test('clients receive no events of other workspaces', async () => {
    const other = await environment.createTenant();
    const bystander = environment.connect(server.url, other.key);
    await bystander.receive(1);
    const client = environment.connect(server.url, tenant.key);
    await client.receive(1);
    await environment.accept(tenant, 3, elsewhere.bus);
    const [own = ''] = await environment.accept(other, 1, elsewhere.bus);
    await client.receive(4);
    expect(eventsOf(await bystander.receive(2)).map((frame) => frame.message.id)).toEqual([own]);
  });

  test('clients receive events that their own process causes', async () => {
    const client = environment.connect(server.url, tenant.key);
    await client.receive(1);
    const [id] = await environment.accept(tenant, 1, server.bus);
    expect(eventsOf(await client.receive(2)).map((frame) => frame.message.id)).toEqual([id]);
  });

  test('a client without a cursor starts at the present and misses no later event', async () => {
    for (let round = 0; round < 20; round += 1) {
      await environment.accept(tenant, 1); // Not published, so that the hub has not read it yet.
      const client = environment.connect(server.url, tenant.key);
      await client.receive(1);
      const [id] = await environment.accept(tenant, 1, elsewhere.bus);
      const [first] = eventsOf(await client.receive(2));
      expect(first?.message.id).toBe(id);
      client.socket.terminate();
    }
  });

  test('every client receives each event exactly once and in order across reconnects', async () => {
    const writer = await environment.createTenant();
    const TOTAL = 500;
    const start = environment.connect(server.url, writer.key);
    const origin = cursorOf((await start.receive(1))[0]);
    let written = 0;
    async function write(): Promise<void> {
      while (written < TOTAL) {
        const size = Math.min(TOTAL - written, 1 + Math.floor(Math.random() * 8));
        await environment.accept(writer, size, elsewhere.bus);
        written += size;
      }
    }

    async function readAll(): Promise<number[]> {
      const seqs: number[] = [];
      let cursor = origin;
      while (seqs.length < TOTAL) {
        const client = environment.connect(`${server.url}?cursor=${cursor}`, writer.key);
        const wanted = Math.min(TOTAL - seqs.length, Math.floor(Math.random() * 120));
        await client.receive(1 + wanted);
        client.socket.terminate();
        const [ready, ...rest] = client.frames;
        expect(ready).toEqual({ type: 'ready', cursor });
        for (const frame of rest) {
          cursor = frame.cursor;
          seqs.push(
            lastIn(parseCursor(writer.workspaceId, cursor)?.position ?? START_OF_EVENTS, 0),
          );
        }
      }
      return seqs;
    }

    const readers = Array.from({ length: 6 }, () => readAll());
    await write();
    const expected = Array.from({ length: TOTAL }, (_, index) => index + 1);
    for (const seqs of await Promise.all(readers)) expect(seqs).toEqual(expected);
    expect(eventsOf(await start.receive(TOTAL + 1))).toHaveLength(TOTAL);
  });

  test('a socket is closed when its session, API key or membership ends', async () => {
    const leaver = await environment.createTenant();
    const session = environment.connect(server.uiUrl(leaver), leaver.token);
    const program = environment.connect(server.url, leaver.key);
    const stays = environment.connect(server.uiUrl(tenant), tenant.token);
    await Promise.all([session.receive(1), program.receive(1), stays.receive(1)]);
    await elsewhere.bus.publish([{ kind: 'session_ended', sessionId: leaver.sessionId }]);
    expect(await session.closed).toBe(4401);
    expect(program.socket.readyState).toBe(program.socket.OPEN);
    await elsewhere.bus.publish([{ kind: 'api_key_revoked', apiKeyId: leaver.apiKeyId }]);
    expect(await program.closed).toBe(4401);

    const again = environment.connect(server.uiUrl(leaver), leaver.token);
    await again.receive(1);
    const { userId, workspaceId } = leaver;
    await elsewhere.bus.publish([{ kind: 'member_removed', userId, workspaceId }]);
    expect(await again.closed).toBe(4403);
    expect(stays.socket.readyState).toBe(stays.socket.OPEN);
  });

  test('the hub releases a workspace when its last client disconnects', async () => {
    const quiet = await environment.createTenant();
    const [one, two] = [
      environment.connect(server.url, quiet.key),
      environment.connect(server.url, quiet.key),
    ];
    await Promise.all([one.receive(1), two.receive(1)]);
    const { sockets, workspaces } = server.hub.stats();
    one.socket.close();
    await until(() => server.hub.stats().sockets === sockets - 1);
    expect(server.hub.stats().workspaces).toBe(workspaces);
    two.socket.close();
    await until(() => server.hub.stats().sockets === sockets - 2);
    expect(server.hub.stats().workspaces).toBe(workspaces - 1);
  });

  test('no background error occurred during the event tests', () => {
    expect(environment.errors).toEqual([]);
  });
});
