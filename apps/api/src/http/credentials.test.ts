import { createApiKey } from '@switchboard/credentials';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { createCredentials } from './credentials.ts';

test('the use of a known key is noted a minute after it was last recorded, and once a minute from then on', async () => {
  let now = 0;
  const notedAt: number[] = [];
  const unlimited = { count: async () => null, consume: async () => undefined };
  const { recognizeApiKey } = createCredentials({
    apiKeys: { findActive: async () => ({ id: 'k', workspaceId: 'w', useStaleInMs: 20_000 }) },
    sessions: { findActive: async () => null },
    noteUseLater: () => notedAt.push(now),
    messagingLimit: unlimited,
    uiLimit: unlimited,
    clock: { monotonic: () => now },
  });
  const app = fastify();
  app.get('/', { onRequest: recognizeApiKey }, async () => ({}));
  const headers = { authorization: `Bearer ${createApiKey().key}` };
  for (const at of [0, 19_000, 20_000, 21_000, 79_000, 80_000, 81_000]) {
    now = at;
    expect((await app.inject({ url: '/', headers })).statusCode).toBe(200);
  }
  expect(notedAt).toEqual([20_000, 80_000]);
});
