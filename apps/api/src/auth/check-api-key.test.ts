import { createApiKey, hashToken } from '@switchboard/credentials';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { createApiKeyCheck } from './check-api-key.ts';

test('the use of a known API key is recorded at most once a minute', async () => {
  let now = 0;
  const recordedAt: number[] = [];
  const { admitKnown } = createApiKeyCheck({
    apiKeys: { findActive: async () => ({ id: 'k', workspaceId: 'w', useStaleInMs: 20_000 }) },
    recordUseLater: () => recordedAt.push(now),
    limit: { count: async () => null },
    clock: { monotonic: () => now },
  });
  const app = fastify();
  app.get('/', { onRequest: admitKnown }, async () => ({}));
  const headers = { authorization: `Bearer ${createApiKey().key}` };
  for (const at of [0, 19_000, 20_000, 21_000, 79_000, 80_000, 81_000]) {
    now = at;
    expect((await app.inject({ url: '/', headers })).statusCode).toBe(200);
  }
  expect(recordedAt).toEqual([20_000, 80_000]);
});

test('a revoked API key and the oldest key of a full cache are looked up again', async () => {
  const keys = [createApiKey().key, createApiKey().key, createApiKey().key] as const;
  const [first, second, third] = keys;
  const active = new Map(keys.map((key, n) => [hashToken(key).toString('hex'), `key ${n}`]));
  const queries: string[] = [];
  const { admitKnown, confirmBeforeRefusal } = createApiKeyCheck({
    apiKeys: {
      async findActive(hash) {
        const id = active.get(hash.toString('hex'));
        queries.push(id ?? 'revoked');
        return id === undefined ? null : { id, workspaceId: 'w', useStaleInMs: 60_000 };
      },
    },
    recordUseLater: () => undefined,
    limit: { count: async () => null },
    clock: { monotonic: () => 0 },
    knownKeysMax: 2,
  });
  const app = fastify();
  const config = { failureCode: 'send_failed' } as const;
  app.get('/', { onRequest: admitKnown, config }, async () => ({}));
  app.get('/refused', { onRequest: admitKnown, errorHandler: confirmBeforeRefusal }, () => {
    throw Object.assign(new Error('Bad request'), { statusCode: 400 });
  });
  const call = async (key: string, url = '/') =>
    (await app.inject({ url, headers: { authorization: `Bearer ${key}` } })).statusCode;

  for (const key of [first, second, first, third, first]) await call(key);
  expect(queries).toEqual(['key 0', 'key 1', 'key 2']);
  await call(second);
  expect(queries).toEqual(['key 0', 'key 1', 'key 2', 'key 1']);

  active.clear();
  expect(await call(second)).toBe(200);
  expect(await call(second, '/refused')).toBe(500);
  expect(await call(second)).toBe(500);
  expect(queries.slice(4)).toEqual(['revoked', 'revoked']);
});
