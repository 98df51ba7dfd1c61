import {
  type ChildProcess,
  type PgBouncer,
  type TestDatabase,
  type TestRedis,
  createTestDatabase,
  createTestRedis,
  createWorkspaceFixture,
  EVENTUALLY,
  sendEach,
  startApi,
  startPgBouncer,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ask } from './start-service.ts';

const TO = '+15558670001';
const MESSAGES = 80;
/** Connections of PgBouncer to the server. Without it, API and worker would open 28. */
const POOL_SIZE = 3;

describe.each(['with Redis', 'without Redis'])('PgBouncer %s', (how) => {
  let database: TestDatabase;
  let redis: TestRedis | null;
  let bouncer: PgBouncer;
  let simulator: ChildProcess;
  let api: ChildProcess;
  let worker: ChildProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    redis = how === 'with Redis' ? await createTestRedis() : null;
    bouncer = await startPgBouncer({ databaseUrl: database.url, poolSize: POOL_SIZE });
    simulator = await startSimulator();
    const env = {
      DATABASE_URL: bouncer.url,
      ...(redis === null ? { DIRECT_DATABASE_URL: database.url } : { REDIS_URL: redis.url }),
      TWILIO_API_URL: simulator.url,
      RATE_LIMIT_MESSAGING: '10000',
    };
    api = await startApi(env);
    worker = await startWorker({ ...env, PUBLIC_URL: api.url });
  });
  afterAll(async () => {
    await worker.stop();
    await api.stop();
    await simulator.stop();
    await bouncer.close();
    await redis?.close();
    await database.drop();
  });

  async function countConnections(): Promise<number> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      const { rows } = await client.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity
         WHERE datname = current_database() AND application_name ~ '^switchboard-(api|worker)$'`,
      );
      return rows[0]?.n ?? -1;
    } finally {
      await client.end();
    }
  }

  test('messages are sent and delivered through PgBouncer with fewer server connections than clients', async () => {
    const { apiKey } = await createWorkspaceFixture(database.url);
    const send = (n: number) =>
      ask(api.url, '/api/messages', {
        token: apiKey,
        headers: { 'idempotency-key': `key-${n}` },
        json: { to: TO, body: `Number ${n}` },
      });
    const numbers = Array.from({ length: MESSAGES }, (_, n) => n);
    const sent = await sendEach(numbers, send, { status: 201 });
    const connections = await countConnections();
    expect(connections).toBeGreaterThan(0);
    expect(connections).toBeLessThanOrEqual(POOL_SIZE);

    const read = () => ask(api.url, '/api/messages?status=delivered&limit=100', { token: apiKey });
    await vi.waitUntil(
      async () => {
        const { json } = await read();
        const { totalMessages } = (json?.['pagination'] ?? {}) as { totalMessages?: number };
        return totalMessages === MESSAGES;
      },
      { ...EVENTUALLY, interval: 200 },
    );
    const again = await sendEach(numbers, send, { status: 201 });
    expect(again.map(({ json }) => json?.['id'])).toEqual(sent.map(({ json }) => json?.['id']));
    const { text } = await ask(simulator.url, '/simulator/ledger');
    expect(text.trim().split('\n')).toHaveLength(MESSAGES);
    const logs = [api, worker].flatMap((process) => process.logs);
    expect(logs.filter((line) => line.includes('prepared statement'))).toEqual([]);
  });

  test('when all server connections are closed under load, every response matches what is stored', async () => {
    const { apiKey, workspaceId } = await createWorkspaceFixture(database.url);
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    try {
      const responses: Promise<{ status: number; id: unknown }>[] = [];
      for (let round = 0; round < 20; round += 1) {
        for (let n = 0; n < 10; n += 1) {
          responses.push(
            ask(api.url, '/api/messages', { token: apiKey, json: { to: TO, body: 'x' } }).then(
              ({ status, json }) => ({ status, id: json?.['id'] }),
            ),
          );
        }
        await admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'switchboard-api'`,
        );
      }
      const all = await Promise.all(responses);
      const { rows } = await admin.query<{ id: string }>(
        'SELECT id FROM messages WHERE workspace_id = $1',
        [workspaceId],
      );
      const stored = new Set(rows.map(({ id }) => id));
      const accepted = all.filter(({ status }) => status === 201);
      expect(accepted.filter(({ id }) => !stored.has(id as string))).toEqual([]);
      // A 503 means that nothing was stored, so every row without a 201 must have a 500.
      const doubtful = all.filter(({ status }) => status === 500).length;
      expect(stored.size - accepted.length).toBeLessThanOrEqual(doubtful);
      expect(all.filter(({ status }) => ![201, 500, 503].includes(status))).toEqual([]);
    } finally {
      await admin.end();
    }
    await vi.waitFor(async () => {
      const { status } = await ask(api.url, '/api/messages', {
        token: apiKey,
        json: { to: TO, body: 'after' },
      });
      expect(status).toBe(201);
    }, EVENTUALLY);
  });
});
