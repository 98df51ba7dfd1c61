import { once } from 'node:events';
import { createTestRedis, startRedis } from '@switchboard/testing';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';

function connect(url: string, commandTimeout = 20_000): Redis {
  const redis = new Redis(url, { commandTimeout, maxRetriesPerRequest: 0 });
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
  const impatient = connect(server.url, 500);
  await Promise.all([once(redis, 'ready'), once(impatient, 'ready')]);
  server.pause();
  await expect(impatient.ping()).rejects.toThrow(/timed out/);
  server.resume();
  expect(await redis.ping()).toBe('PONG');
  redis.disconnect();
  impatient.disconnect();
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
