import { createConnection, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import { findFreePort } from '@switchboard/embedded-postgres';
import {
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
  const client = createRedis({ url, timeoutMs: 1_000, maxRetriesPerRequest: null, ...more });
  client.on('error', (error: Error) => errors.push(error.message));
  clients.push(client);
  return { client, errors };
}

const closed = (client: Redis) => new Promise((resolve) => client.once('close', resolve));

describe('over TLS', () => {
  async function start(certificate: 'server' | 'elsewhere'): Promise<URL> {
    const server = await startRedis({ certificate });
    closers.push(() => server.close());
    return new URL(server.url);
  }

  test('a server is taken whose certificate the given authority has signed', async () => {
    const { client, errors } = connect((await start('server')).href);
    expect(await client.ping()).toBe('PONG');
    expect(errors).toEqual([]);
  });

  test.each([
    ['another authority', 'server', 'other-authority.pem', /refused: its authority is unknown/],
    ['nobody that is known here', 'server', null, /refused: its authority is unknown/],
    ['the authority, but for another name', 'elsewhere', 'authority.pem', /for another name/],
  ] as const)('one signed by %s is refused, in words', async (_who, certificate, ca, reason) => {
    const url = await start(certificate);
    if (ca === null) url.searchParams.delete('ca');
    else url.searchParams.set('ca', certificatePath(ca));
    const { client, errors } = connect(url.href);
    await closed(client);
    expect(errors[0]).toMatch(/^the certificate of 127\.0\.0\.1:\d+ is refused/);
    expect(errors[0]).toMatch(reason);
    expect(client.status).not.toBe('ready');
  });

  test('one for another name is taken where that name is the one to look for', async () => {
    const url = await start('elsewhere');
    url.searchParams.set('server_name', 'elsewhere.test');
    expect(await connect(url.href).client.ping()).toBe('PONG');
  });
});

describe.each<[string, () => Promise<RedisGroup>]>([
  ['sentinels', () => startRedisSentinels()],
  ['sentinels over TLS', () => startRedisSentinels({ certificate: 'server' })],
  ['a cluster', () => startRedisCluster()],
])('behind %s', (_name, startGroup) => {
  test('a client finds the master, and by itself the one that takes its place', async () => {
    const group = await startGroup();
    closers.push(() => group.close());
    const { client } = connect(group.url);
    const key = toKeyPrefix(group.url, 'kept');
    await client.set(key, 'before');
    await client.wait(1, 2_000);

    await group.failOver();
    // Both the address of the dead one and the time until somebody takes over are passed.
    expect(await client.get(key)).toBe('before');
    await client.set(key, 'after');
    // What comes back is a replica now, and nobody's master.
    await group.restart();
    const { client: later } = connect(group.url);
    expect(await later.get(key)).toBe('after');
  });
});

describe('a master that steps down, though it stays reachable,', () => {
  /** The replica of the cluster's that has our keys, when it has become their master. */
  async function stepDown(client: Redis): Promise<Redis> {
    const nodes = String(await client.cluster('NODES')).split('\n');
    const [address = ''] =
      nodes
        .find((line) => line.includes('slave'))
        ?.split(' ')[1]
        ?.split('@') ?? [];
    const { client: replica } = connect(`redis://${address}`);
    await replica.cluster('FAILOVER');
    await vi.waitUntil(async () => (await replica.role())[0] === 'master', 10_000);
    return replica;
  }

  test('is left by a client that it refuses, which then asks the right one', async () => {
    const group = await startRedisCluster();
    closers.push(() => group.close());
    const { client } = connect(group.url);
    const key = toKeyPrefix(group.url, 'kept');
    await client.set(key, '1');
    const master = await stepDown(client);
    await client.set(key, '2');
    expect(await master.get(key)).toBe('2');
  });

  test('is left in time by one that only listens, too', async () => {
    const group = await startRedisCluster();
    closers.push(() => group.close());
    const { client } = connect(group.url, { checkEveryMs: 200 });
    await client.ping();
    const master = await stepDown(client);
    const heard = new Promise((resolve) => client.once('message', resolve));
    await client.subscribe('news');
    await vi.waitUntil(async () => (await master.pubsub('NUMSUB', 'news'))[1] === 1, 10_000);
    await master.publish('news', 'of today');
    expect(await heard).toBe('news');
  });
});

test('while no sentinel answers it says so, and gets there once one does', async () => {
  const group = await startRedisSentinels();
  closers.push(() => group.close());
  const sentinel = new URL(group.url.replace(/,[^/]+/, ''));
  const port = await findFreePort();
  const { client, errors } = connect(group.url.replace(/@[^/]+/, `@127.0.0.1:${port}`));
  await closed(client);
  await closed(client);
  expect(errors[0]).toMatch(/no sentinel names the master \(127\.0\.0\.1:\d+: .*ECONNREFUSED/);

  const way = createServer((socket) => {
    const there = createConnection(Number(sentinel.port), sentinel.hostname);
    pipeline(socket, there, socket, () => undefined);
  });
  await new Promise<void>((resolve) => way.listen(port, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => way.close(() => resolve())));
  expect(await client.ping()).toBe('PONG');
});
