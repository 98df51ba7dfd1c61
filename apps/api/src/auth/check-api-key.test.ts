import { createApiKey, hashToken } from '@switchboard/credentials';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { createApiKeyCheck } from './check-api-key.ts';

const ACTIVE = {
  workspaceId: 'w',
  version: 1,
  scopes: ['*'],
  allowedIps: [],
  endsAt: null,
  hasEnded: false,
} as const;

test('the use of a known API key is recorded at most once a minute', async () => {
  let now = 0;
  const recordedAt: number[] = [];
  const { admitKnown } = createApiKeyCheck({
    apiKeys: { findActive: async () => ({ ...ACTIVE, id: 'k', useStaleInMs: 20_000 }) },
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
        return id === undefined ? null : { ...ACTIVE, id, useStaleInMs: 60_000 };
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

test('a limited API key that is known is admitted and refused without a query', async () => {
  let queries = 0;
  const { admitKnown } = createApiKeyCheck({
    apiKeys: {
      async findActive() {
        queries += 1;
        const endsAt = new Date('2036-01-31T00:00:00Z');
        const allowedIps = ['203.0.113.0/24', '2001:db8::/32'];
        return { ...ACTIVE, id: 'k', scopes: ['verify'], allowedIps, endsAt, useStaleInMs: 60_000 };
      },
    },
    recordUseLater: () => undefined,
    limit: { count: async () => null },
    clock: { monotonic: () => 0 },
  });
  const app = fastify();
  app.get('/', { onRequest: admitKnown }, async ({ apiKey: { scopes } }) => ({ scopes }));
  const headers = { authorization: `Bearer ${createApiKey().key}` };
  const call = (remoteAddress: string) => app.inject({ url: '/', headers, remoteAddress });
  expect((await call('203.0.113.7')).json()).toEqual({ scopes: ['verify'] });
  expect((await call('2001:db8::7')).statusCode).toBe(200);
  expect((await call('198.51.100.1')).json()).toMatchObject({
    message: expect.stringContaining('from the address 198.51.100.1'),
  });
  expect(queries).toBe(1);
});
