import {
  EVENTUALLY,
  type ChildProcess,
  type PostgresReplica,
  type PostgresServer,
  type WorkspaceFixture,
  createWorkspaceFixture,
  startApi,
  startPostgres,
  startReplica,
} from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ask } from './start-service.ts';

/** Long enough for the reads that a lagging replica must still serve, even on a busy machine. */
const MAX_LAG_MS = 10_000;

describe('history on a replica', () => {
  let primary: PostgresServer;
  let replica: PostgresReplica;
  let api: ChildProcess;
  let workspace: WorkspaceFixture;

  beforeAll(async () => {
    primary = await startPostgres();
    replica = await startReplica(primary);
    api = await startApi({
      DATABASE_URL: primary.url,
      REPLICA_DATABASE_URL: replica.url,
      REPLICA_MAX_LAG_MS: String(MAX_LAG_MS),
      // The tests read until a list changes.
      RATE_LIMIT_MESSAGING: '100000',
    });
  });
  afterAll(async () => {
    await api.stop();
    await replica.close();
    await primary.close();
  });
  beforeEach(async () => {
    workspace = await createWorkspaceFixture(primary.url);
  });

  async function send(body: string, key?: string) {
    const response = await ask(api.url, '/api/messages', {
      token: workspace.apiKey,
      json: { to: '+15558670001', body },
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    });
    expect(response.status).toBe(201);
    return { id: String(response.json?.['id']), headers: response.headers };
  }

  async function list(headers: Record<string, string> = {}): Promise<string[]> {
    const { status, json } = await ask(api.url, '/api/messages', {
      token: workspace.apiKey,
      headers,
    });
    expect(status).toBe(200);
    const { messages } = json as { messages: { id: string }[] };
    return messages.map(({ id }) => id);
  }

  /** Returns how often history was read from this server, according to the metrics. */
  async function readsOf(source: 'replica' | 'primary'): Promise<number> {
    const text = await (await fetch(`${api.url}/metrics`)).text();
    const line = new RegExp(`^switchboard_history_reads_total\\{source="${source}"\\} (\\d+)`, 'm');
    return Number(line.exec(text)?.[1] ?? -1);
  }

  /** Waits until a read uses this server. */
  async function untilReadFrom(source: 'replica' | 'primary'): Promise<void> {
    await vi.waitUntil(
      async () => {
        const before = await readsOf(source);
        await list();
        return (await readsOf(source)) > before;
      },
      { ...EVENTUALLY, interval: 100 },
    );
  }

  test('lists are read from the replica, and a new message appears in them shortly after', async () => {
    await untilReadFrom('replica');
    const { id } = await send('one');
    await vi.waitFor(async () => expect(await list()).toEqual([id]), EVENTUALLY);
    const before = await readsOf('primary');
    await list();
    expect(await readsOf('primary')).toBe(before);
  });

  test('reads for decisions and reads with no-cache do not use a replica that lags', async () => {
    await untilReadFrom('replica');
    await replica.pauseReplay();
    try {
      const { id } = await send('one', 'a key');
      expect(await list()).toEqual([]);
      expect(await list({ 'cache-control': 'no-cache' })).toEqual([id]);
      const table = await ask(api.url, '/api/messages/export.csv', {
        token: workspace.apiKey,
        headers: { 'cache-control': 'no-cache' },
      });
      expect(table.text).toContain(id);
      const found = await ask(api.url, `/api/messages/${id}`, { token: workspace.apiKey });
      expect(found.json).toMatchObject({ id, status: 'queued' });
      const again = await send('one', 'a key');
      expect(again.id).toBe(id);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      // Beyond the maximum lag, lists are read from the primary.
      await vi.waitFor(async () => expect(await list()).toEqual([id]), {
        timeout: MAX_LAG_MS + 30_000,
        interval: 100,
      });
      await vi.waitFor(() => {
        const switched = api.logs.filter(
          (line) => line.includes('history reads switched') && line.includes('"from":"primary"'),
        );
        expect(switched.at(-1)).toMatch(/the replica is .* behind/);
      }, EVENTUALLY);
    } finally {
      await replica.resumeReplay();
    }
    await untilReadFrom('replica');
  });

  test('without the replica, history is read from the primary until the replica is back', async () => {
    await untilReadFrom('replica');
    const { id } = await send('one');
    await vi.waitFor(async () => expect(await list()).toEqual([id]), EVENTUALLY);
    await replica.stop();
    // This includes the first read, which still tries the replica.
    for (let n = 0; n < 20; n += 1) expect(await list()).toEqual([id]);
    await untilReadFrom('primary');
    await replica.start();
    await untilReadFrom('replica');
    expect(await list()).toEqual([id]);
  });
});
