import { EVENTUALLY, startRedis } from '@switchboard/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRedis } from '../src/create-redis.ts';

test('a client whose URL names a database that the server does not have writes nothing, and its error says so', async () => {
  const server = await startRedis({ settings: { databases: '2' } });
  onTestFinished(() => server.close());
  const errors: string[] = [];
  const wrong = createRedis({ url: `${server.url}/2`, timeoutMs: 5_000, maxRetriesPerRequest: 0 });
  const right = createRedis({ url: `${server.url}/1`, timeoutMs: 20_000 });
  onTestFinished(() => [wrong, right].forEach((client) => client.disconnect()));
  wrong.on('error', ({ message }) => errors.push(message));

  await expect(wrong.set('key', 'value')).rejects.toThrow();
  await right.set('key', 'value');
  await vi.waitFor(() => expect(errors.join()).toMatch(/Redis has no database 2: set/), EVENTUALLY);
  const databases = /# Keyspace\s([^]*)/.exec(await right.info('keyspace'))?.[1]?.trim();
  expect(databases).toMatch(/^db1:keys=1,[^\n]*$/);
});
