import { QUOTAS } from '@switchboard/core';
import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { callBack } from './call-back.ts';
import {
  type ApiResponse,
  type Service,
  ask,
  expectRefusal,
  startService,
} from './start-service.ts';

const BEYOND_QUOTA = 10;

let service: Service;

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_MESSAGING: '1000000', SWEEP_MS: '60000' } });
});
afterAll(() => service.close());

interface Workspace {
  apiKey: string;
  workspaceId: string;
}

/**
 * Sends a message and removes its stored response, as if the process had died while the request
 * waited.
 */
async function leaveUnanswered({ apiKey, workspaceId }: Workspace, key: string): Promise<string> {
  const { json } = await send(apiKey, key, 0);
  await service.sql(
    'UPDATE idempotency_keys SET response = NULL WHERE workspace_id = $1 AND key = $2',
    [workspaceId, key],
  );
  return String(json?.['id']);
}

const send = (token: string, key: string | null, wait: number): Promise<ApiResponse> =>
  ask(service.url, '/api/messages', {
    token,
    json: { to: '+15551230001', body: 'x' },
    headers: { prefer: `wait=${wait}`, ...(key !== null && { 'idempotency-key': key }) },
  });

/** Returns how often the database was queried for the response of an Idempotency-Key. */
async function countLookups(): Promise<number> {
  const [row] = await service.sql<{ scans: number }>(
    `SELECT pg_stat_clear_snapshot(), idx_scan::int AS scans FROM pg_stat_user_indexes
     WHERE indexrelname = 'idempotency_keys_pkey'`,
  );
  return row?.scans ?? 0;
}

test('100 replays that wait for one Idempotency-Key query the database as often as a single one', async () => {
  const workspace = await service.addWorkspace();
  const id = await leaveUnanswered(workspace, 'shared');
  const replays = Array.from({ length: 100 }, () => send(workspace.apiKey, 'shared', 20));
  // Each replay queries once when it arrives. After that, only the shared poll queries, ten times a
  // second.
  let measured = 0;
  let rate = Infinity;
  await vi.waitFor(async () => {
    const before = await countLookups();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    rate = (await countLookups()) - before;
    measured += 1;
    expect(rate).toBeLessThan(150);
  }, EVENTUALLY);
  expect(measured).toBeGreaterThan(0);
  await callBack(
    service.url,
    workspace,
    { MessageSid: 'SMshared', MessageStatus: 'sent' },
    { message: id },
  );
  const bodies = new Set((await Promise.all(replays)).map(({ text }) => text));
  expect([...bodies]).toEqual([JSON.stringify({ id, sid: 'SMshared', status: 'sent' })]);
});

test('beyond the quota of waits, a send is answered immediately and a replay with 503', async () => {
  const workspace = await service.addWorkspace();
  const id = await leaveUnanswered(workspace, 'crowd');
  let refused = 0;
  const crowd = Array.from({ length: QUOTAS.waitsPerWorkspace + BEYOND_QUOTA }, async () => {
    const { status } = await send(workspace.apiKey, 'crowd', 30);
    if (status === 503) refused += 1;
    return status;
  });
  // When all requests have arrived, those beyond the quota are refused and all slots are in use.
  await vi.waitFor(() => expect(refused).toBe(BEYOND_QUOTA), { timeout: 25_000 });
  const further = await send(workspace.apiKey, null, 1);
  expect(further.headers.get('preference-applied')).toBeNull();
  expect(further.status).toBe(201);
  const replay = await send(workspace.apiKey, 'crowd', 1);
  expectRefusal(replay, 503, 'service_unavailable', /Idempotency-Key/);
  expect(replay.headers.get('retry-after')).toBe('1');
  // Another workspace can still wait.
  const other = await service.addWorkspace();
  expect((await send(other.apiKey, null, 1)).headers.get('preference-applied')).toBe('wait=1');

  await callBack(
    service.url,
    workspace,
    { MessageSid: 'SMcrowd', MessageStatus: 'sent' },
    { message: id },
  );
  const answered = (await Promise.all(crowd)).filter((status) => status === 201);
  expect(answered).toHaveLength(QUOTAS.waitsPerWorkspace);
  const freed = await send(workspace.apiKey, null, 1);
  expect(freed.headers.get('preference-applied')).toBe('wait=1');
});

test('an API that is stopping answers all requests that wait for the provider', async () => {
  const own = await startService({ env: { SWEEP_MS: '60000' } });
  const { apiKey } = await own.addWorkspace();
  try {
    const waiting = ask(own.url, '/api/messages', {
      token: apiKey,
      json: { to: '+15551230001', body: 'shutting down' },
      headers: { prefer: 'wait=30' },
    });
    await expect.poll(() => own.countRows('messages'), { ...EVENTUALLY, interval: 20 }).toBe(1);
    const began = performance.now();
    const stopping = own.apis[0]?.stop();
    const response = await waiting;
    expect([response.status, response.json?.['status']]).toEqual([201, 'queued']);
    await stopping;
    expect(performance.now() - began).toBeLessThan(20_000);
  } finally {
    await own.close();
  }
});

test('SEND_WAIT_SECONDS enables the wait by default, and a request may decline it', async () => {
  const own = await startService({ env: { SWEEP_MS: '60000', SEND_WAIT_SECONDS: '1' } });
  const { apiKey } = await own.addWorkspace();
  try {
    const timed = async (headers: Record<string, string>) => {
      const began = performance.now();
      const response = await ask(own.url, '/api/messages', {
        token: apiKey,
        json: { to: '+15551230001', body: 'x' },
        headers,
      });
      return { ms: performance.now() - began, applied: response.headers.get('preference-applied') };
    };
    const waited = await timed({});
    expect(waited.ms).toBeGreaterThan(950);
    expect(waited.applied).toBeNull();
    // On a busy machine, a send may take a second without a wait.
    const declined = [];
    for (let n = 0; n < 5; n += 1) declined.push(await timed({ prefer: 'wait=0' }));
    expect(Math.min(...declined.map(({ ms }) => ms))).toBeLessThan(900);
    expect(declined.map(({ applied }) => applied)).toEqual(declined.map(() => 'wait=0'));
  } finally {
    await own.close();
  }
});
