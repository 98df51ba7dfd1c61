import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestRedis, startRedis } from '@switchboard/testing';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';

function connect(url: string): Redis {
  const redis = new Redis(url, { commandTimeout: 20_000, maxRetriesPerRequest: 0 });
  redis.on('error', () => undefined); // each command reports its own error
  return redis;
}

test('a Redis with appendonly keeps its data and address after a kill and a restart', async () => {
  const server = await startRedis({ appendonly: true });
  const first = connect(server.url);
  await first.set('kept', 'yes');
  first.disconnect();
  await server.kill();
  await server.start();
  const second = connect(server.url);
  expect(await second.get('kept')).toBe('yes');
  second.disconnect();
  await server.close();
});

test('a paused Redis does not respond until it is resumed', async () => {
  const server = await startRedis();
  const redis = connect(server.url);
  await once(redis, 'ready');
  server.pause();
  let isAnswered = false;
  const answer = redis.ping().finally(() => {
    isAnswered = true;
  });
  await delay(500);
  expect(isAnswered).toBe(false);
  server.resume();
  expect(await answer).toBe('PONG');
  redis.disconnect();
  await server.close();
});

test('test files that share a Redis have different key prefixes', async () => {
  const [one, other] = await Promise.all([createTestRedis(), createTestRedis()]);
  expect(one.prefix).not.toBe(other.prefix);
  const redis = connect(one.url);
  expect(await redis.ping()).toBe('PONG');
  redis.disconnect();
  await Promise.all([one.close(), other.close()]);
});
