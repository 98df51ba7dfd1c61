import { createConnection, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import { findFreePort } from '@switchboard/embedded-postgres';
import {
  EVENTUALLY,
  type RedisGroup,
  certificatePath,
  startRedis,
  startRedisCluster,
  startRedisSentinels,
} from '@switchboard/testing';
import type { Redis } from 'ioredis';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createRedis, toKeyPrefix } from '../src/create-redis.ts';

const clients: Redis[] = [];
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.disconnect();
  for (const close of closers.splice(0)) await close();
});

function connect(url: string, more: { checkEveryMs?: number } = {}) {
  const errors: string[] = [];
  const client = createRedis({ url, timeoutMs: 5_000, maxRetriesPerRequest: null, ...more });
  client.on('error', (error: Error) => errors.push(error.message));
  clients.push(client);
  return { client, errors };
}

const closed = (client: Redis) => new Promise((resolve) => client.once('close', resolve));

describe('Redis over TLS', () => {
  async function start(certificate: 'server' | 'elsewhere'): Promise<URL> {
    const server = await startRedis({ certificate });
    closers.push(() => server.close());
    return new URL(server.url);
  }

  test('a server with a certificate of the given authority is accepted', async () => {
    const { client, errors } = connect((await start('server')).href);
    expect(await client.ping()).toBe('PONG');
    expect(errors).toEqual([]);
  });

  test.each([
    ['another authority', 'server', 'other-authority.pem', /refused: its CA is unknown/],
    ['an unknown authority', 'server', null, /refused: its CA is unknown/],
    ['the given authority for another name', 'elsewhere', 'authority.pem', /for another name/],
  ] as const)(
    'a certificate signed by %s is refused with a reason',
    async (_who, certificate, ca, reason) => {
      const url = await start(certificate);
      if (ca === null) url.searchParams.delete('ca');
      else url.searchParams.set('ca', certificatePath(ca));
      const { client, errors } = connect(url.href);
      await closed(client);
      expect(errors[0]).toMatch(/^the certificate of 127\.0\.0\.1:\d+ is refused/);
      expect(errors[0]).toMatch(reason);
      expect(client.status).not.toBe('ready');
    },
  );

  test('a certificate for another name is accepted if the URL has that name as server_name', async () => {
    const url = await start('elsewhere');
    url.searchParams.set('server_name', 'elsewhere.test');
    expect(await connect(url.href).client.ping()).toBe('PONG');
  });
});

describe.each<[string, () => Promise<RedisGroup>]>([
  ['sentinels', () => startRedisSentinels()],
  ['sentinels over TLS', () => startRedisSentinels({ certificate: 'server' })],
  ['a cluster', () => startRedisCluster()],
])('Redis behind %s', (_name, startGroup) => {
  test('a client finds the master, and after a failover the new master', async () => {
    const group = await startGroup();
    closers.push(() => group.close());
    const { client } = connect(group.url);
    const key = toKeyPrefix(group.url, 'kept');
    await client.set(key, 'before');
    await client.wait(1, 20_000);

    await group.failOver();
    // The client tries the address of the dead master until another one takes over.
    expect(await client.get(key)).toBe('before');
    await client.set(key, 'after');
    // The old master restarts as a replica.
    await group.restart();
    const { client: later } = connect(group.url);
    expect(await later.get(key)).toBe('after');
  });
});

describe('a master that steps down but stays reachable', () => {
  /** Promotes the replica that has our keys, and returns a client of it. */
  async function stepDown(client: Redis): Promise<Redis> {
    const nodes = String(await client.cluster('NODES')).split('\n');
    const [address = ''] =
      nodes
        .find((line) => line.includes('slave'))
        ?.split(' ')[1]
        ?.split('@') ?? [];
    const { client: replica } = connect(`redis://${address}`);
    await replica.cluster('FAILOVER');
    await vi.waitUntil(async () => (await replica.role())[0] === 'master', EVENTUALLY);
    return replica;
  }

  test('a client whose command a demoted master refuses connects to the new master', async () => {
    const group = await startRedisCluster();
    closers.push(() => group.close());
    const { client } = connect(group.url);
    const key = toKeyPrefix(group.url, 'kept');
    await client.set(key, '1');
    const master = await stepDown(client);
    await client.set(key, '2');
    expect(await master.get(key)).toBe('2');
  });

  test('a client that only listens leaves a demoted master for the new one', async () => {
    const group = await startRedisCluster();
    closers.push(() => group.close());
    const { client } = connect(group.url, { checkEveryMs: 200 });
    await client.ping();
    const master = await stepDown(client);
    const received = new Promise((resolve) => client.once('message', resolve));
    await client.subscribe('news');
    await vi.waitUntil(async () => (await master.pubsub('NUMSUB', 'news'))[1] === 1, EVENTUALLY);
    await master.publish('news', 'of today');
    expect(await received).toBe('news');
  });
});

test('a client reports that no sentinel responds, and connects as soon as one does', async () => {
  const group = await startRedisSentinels();
  closers.push(() => group.close());
  const sentinel = new URL(group.url.replace(/,[^/]+/, ''));
  const port = await findFreePort();
  const { client, errors } = connect(group.url.replace(/@[^/]+/, `@127.0.0.1:${port}`));
  await closed(client);
  await closed(client);
  expect(errors[0]).toMatch(/no sentinel reports the master \(127\.0\.0\.1:\d+: .*ECONNREFUSED/);

  const proxy = createServer((socket) => {
    const there = createConnection(Number(sentinel.port), sentinel.hostname);
    pipeline(socket, there, socket, () => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => proxy.close(() => resolve())));
  expect(await client.ping()).toBe('PONG');
});
