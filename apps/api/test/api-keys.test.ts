import { apiKeyList, createdApiKey } from '@switchboard/contracts';
import { isApiKey } from '@switchboard/credentials';
import type { WorkspaceFixture } from '@switchboard/testing';
import pg from 'pg';
import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type BusListener, listenToBus } from './listen-to-bus.ts';
import { type Service, ask, expectRefusal, startService } from './start-service.ts';
import { type WorkspaceClient, clientOf } from './workspace-client.ts';

let service: Service;
let bus: BusListener;
let workspace: WorkspaceFixture;
let owner: WorkspaceClient;

beforeAll(async () => {
  service = await startService({ apis: 2, env: { RATE_LIMIT_MESSAGING: '100000' } });
  bus = await listenToBus(service.database.url);
});
afterAll(async () => {
  await bus.close();
  await service.close();
});
beforeEach(async () => {
  workspace = await service.addWorkspace();
  owner = clientOf(service, workspace, workspace.sessionToken);
});

async function createKey(name = 'Billing') {
  const response = await owner('/api-keys', { json: { name } });
  expect(response.status).toBe(201);
  return createdApiKey.strict().parse(response.json);
}

const use = (key: string, api = 0) =>
  ask(service.apis[api]?.url ?? '', '/api/workspace', { token: key });

const send = (key: string, api: number) =>
  ask(service.apis[api]?.url ?? '', '/api/messages', {
    token: key,
    json: { to: '+15551230001', body: 'x' },
  });

const listKeys = async () => apiKeyList.strict().parse((await owner('/api-keys')).json).data;

test('an API key is shown once, works immediately in every process and is stored only as a hash', async () => {
  const created = await createKey();
  expect(isApiKey(created.key)).toBe(true);
  expect(created.key.startsWith(created.prefix) && created.key.endsWith(created.last4)).toBe(true);
  for (const api of [0, 1]) expect((await use(created.key, api)).status).toBe(200);

  const { key, ...rest } = created;
  expect((await listKeys())[0]).toMatchObject(rest);
  const stored = await service.sql('SELECT k::text, a::text FROM api_keys k, audit_entries a');
  expect(JSON.stringify([stored, await listKeys()])).not.toContain(key);
});

test('several API keys work at the same time, and a revoked key stops working immediately in every process', async () => {
  const [first, second] = [await createKey('first'), await createKey('second')];
  const revoked = await owner(`/api-keys/${first.id.toUpperCase()}`, { method: 'DELETE' });
  expect([revoked.status, revoked.json]).toEqual([200, { ok: true }]);
  for (const api of [0, 1]) {
    expectRefusal(await use(first.key, api), 401, 'unauthorized');
    expect((await use(second.key, api)).status).toBe(200);
  }
  await bus.waitFor({ kind: 'api_key_revoked', apiKeyId: first.id });

  const revokedAt = (await listKeys()).find(({ id }) => id === first.id)?.revoked_at;
  expect(revokedAt).toEqual(expect.any(String));
  // A second revocation succeeds and keeps the time of the first.
  expect((await owner(`/api-keys/${first.id}`, { method: 'DELETE' })).status).toBe(200);
  expect((await listKeys()).find(({ id }) => id === first.id)?.revoked_at).toBe(revokedAt);
});

test('no request succeeds after the response to the revocation of its API key, even under load', async () => {
  const { id, key } = await createKey();
  let isRevoked = false;
  const late: number[] = [];
  const load = Array.from({ length: 8 }, async (_, n) => {
    for (;;) {
      const beganAfter = isRevoked;
      const { status } = await use(key, n % 2);
      if (beganAfter) late.push(status);
      if (status !== 200) return;
    }
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await owner(`/api-keys/${id}`, { method: 'DELETE' });
  isRevoked = true;
  await Promise.all([...load, use(key).then(({ status }) => late.push(status))]);
  expect(new Set(late)).toEqual(new Set([401]));
});

test('the last use of an API key is recorded at most once a minute', async () => {
  const { id, key } = await createKey();
  const lastUse = async () => (await listKeys()).find((listed) => listed.id === id)?.last_used_at;
  const version = async () =>
    (await service.sql<{ xmin: string }>('SELECT xmin::text FROM api_keys WHERE id = $1', [id]))[0]
      ?.xmin;
  expect(await lastUse()).toBeNull();
  await use(key);
  const first = await vi.waitFor(async () => {
    const at = await lastUse();
    expect(at).toEqual(expect.any(String));
    return at;
  }, EVENTUALLY);
  expect(Date.now() - Date.parse(first ?? '')).toBeLessThan(60_000);

  // Uses within the minute do not write the row. This includes sends with a cached key.
  const before = await version();
  await Promise.all(Array.from({ length: 20 }, (_, n) => use(key, n % 2)));
  for (let n = 0; n < 6; n += 1) expect((await send(key, n % 2)).status).toBe(201);
  expect([await lastUse(), await version()]).toEqual([first, before]);

  await service.sql(`UPDATE api_keys SET last_used_at = now() - interval '61 seconds'`);
  const stale = await lastUse();
  await use(key);
  await vi.waitFor(async () => expect(await lastUse()).not.toBe(stale), EVENTUALLY);
});

test('a request does not wait while another one records the use of its API key', async () => {
  const { id, key } = await createKey();
  const locker = new pg.Client({ connectionString: service.database.url });
  await locker.connect();
  try {
    await locker.query('BEGIN');
    await locker.query('SELECT 1 FROM api_keys WHERE id = $1 FOR UPDATE', [id]);
    for (let n = 0; n < 3; n += 1) expect((await use(key)).status).toBe(200);
  } finally {
    await locker.end();
  }
});
