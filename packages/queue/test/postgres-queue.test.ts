import { createTestDatabase, EVENTUALLY, rejectionOf, startRelay } from '@switchboard/testing';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { migrateQueue } from '../src/postgres/migrate-queue.ts';
import { createHarness, idsOf, IN_TIME_MS, makeHints, TIMEOUT_MS } from './harness.ts';

describe('the hint queue on PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let operator: pg.Client;
  let harness: ReturnType<typeof createHarness>;

  async function open({ empty = false, timeoutMs = 10_000 } = {}): Promise<void> {
    database = await createTestDatabase({ empty });
    operator = new pg.Client({ connectionString: database.url });
    await operator.connect();
    harness = createHarness({ redisUrl: null, databaseUrl: database.url }, timeoutMs);
  }

  async function close(): Promise<void> {
    await harness.close();
    await operator.end();
    await database.drop();
  }

  beforeEach(() => open());
  afterEach(() => close());

  /** Counts the rows of a table of the queue. */
  async function countRows(table: 'job' | 'migration'): Promise<number> {
    const { rows } = await operator.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM bullmq.${table}`,
    );
    return rows[0]?.count ?? -1;
  }

  test('the schema of the PostgreSQL queue can be created by several processes at once, and while another process holds the migration lock', async () => {
    await close();
    await open({ empty: true });
    await operator.query('SELECT pg_advisory_lock(72707369)');
    await Promise.all([1, 2, 3].map(() => migrateQueue(database.url)));
    const migrations = await countRows('migration');
    expect(migrations).toBeGreaterThan(0);
    await migrateQueue(database.url);
    expect(await countRows('migration')).toBe(migrations);
  });

  test('the PostgreSQL queue refuses hints without its schema, and delivers them once the schema exists', async () => {
    await operator.query('DROP SCHEMA bullmq CASCADE');
    const producer = harness.produce();
    const consumer = harness.consume();
    await expect(producer.enqueue(makeHints(1))).rejects.toThrow(/not initialized/);
    await expect(producer.ping()).rejects.toThrow(/not initialized/);
    await vi.waitFor(() => expect(harness.errors.length).toBeGreaterThan(1), EVENTUALLY);
    await migrateQueue(database.url);
    await producer.enqueue(makeHints(2));
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(2), EVENTUALLY);
  });

  test('the PostgreSQL queue refuses hints before the timeout while a lock blocks them, and stores none of them', async () => {
    await close();
    await open({ timeoutMs: TIMEOUT_MS });
    const producer = harness.produce();
    await vi.waitFor(() => producer.ping(), EVENTUALLY);
    await operator.query('BEGIN');
    await operator.query('LOCK TABLE bullmq.job IN ACCESS EXCLUSIVE MODE');
    for (const count of [1, 100]) {
      const { error, afterMs } = await rejectionOf(producer.enqueue(makeHints(count)));
      expect(error).toBeInstanceOf(Error);
      expect(afterMs).toBeLessThan(IN_TIME_MS);
    }
    await operator.query('COMMIT');
    await vi.waitFor(() => producer.ping(), EVENTUALLY);
    const other = createHarness({ redisUrl: null, databaseUrl: database.url });
    await other.produce().enqueue(makeHints(1));
    await other.close();
    expect(await countRows('job')).toBe(1);
  });

  test('the PostgreSQL queue deletes the rows of processed hints', async () => {
    const consumer = harness.consume();
    await harness.produce().enqueue(makeHints(40));
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(40), EVENTUALLY);
    await vi.waitFor(async () => expect(await countRows('job')).toBe(0), EVENTUALLY);
  });

  test('the PostgreSQL queue works with options in the connection string', async () => {
    await harness.close();
    const url = new URL(database.url);
    url.searchParams.set('options', '-c work_mem=8MB -c synchronous_commit=on');
    harness = createHarness({ redisUrl: null, databaseUrl: url.href });
    const consumer = harness.consume();
    await harness.produce().enqueue(makeHints(2));
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(2), EVENTUALLY);
  });

  test('a consumer that receives no notifications finds hints by polling, even after an outage', async () => {
    const consumer = harness.consume();
    await vi.waitFor(() => consumer.ping(), EVENTUALLY);
    await insertWithoutNotification('first');
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(1), EVENTUALLY);

    await refuseConnections(true);
    await operator.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    const countRefusals = () =>
      harness.errors.filter((error) => /not currently accepting/.test(error.message)).length;
    await vi.waitFor(() => expect(countRefusals()).toBeGreaterThan(2), EVENTUALLY);
    await refuseConnections(false);
    await vi.waitFor(async () => expect(await isListening()).toBe(true), EVENTUALLY);
    await insertWithoutNotification('second');
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(2), EVENTUALLY);
  });

  test('each installation of a database has its own queue', async () => {
    const url = `${database.url}?schema=second`;
    await migrateQueue(url);
    const second = createHarness({ redisUrl: null, databaseUrl: url });
    onTestFinished(() => second.close());
    const consumers = [harness.consume(), second.consume()];
    const hints = [makeHints(3), makeHints(2)] as const;
    await second.produce().enqueue(hints[1]);
    await harness.produce().enqueue(hints[0]);
    for (const [index, consumer] of consumers.entries()) {
      await vi.waitFor(
        () => expect(idsOf(consumer.taken)).toEqual(idsOf(hints[index] ?? [])),
        EVENTUALLY,
      );
    }
  });

  test('a consumer whose connections are frozen without a reset listens for notifications on a new one', async () => {
    const relay = await startRelay([Number(new URL(database.url).port)]);
    onTestFinished(() => relay.close());
    const url = new URL(database.url);
    url.port = new URL(relay.url).port;
    const behind = createHarness({ redisUrl: null, databaseUrl: url.href }, TIMEOUT_MS);
    onTestFinished(() => behind.close());
    behind.consume();
    await vi.waitFor(async () => expect(await isListening()).toBe(true), EVENTUALLY);
    relay.freeze();
    const { rows } = await operator.query<{ now: Date }>('SELECT now()');
    await vi.waitFor(async () => {
      const { rowCount } = await operator.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database()
          AND query LIKE '%LISTEN bullmq_jobs%' AND backend_start > $1`,
        [rows[0]?.now],
      );
      expect(rowCount).toBe(1);
    }, EVENTUALLY);
  });

  /** Returns true 300 ms after LISTEN, when the poll that follows it is over too. */
  async function isListening(): Promise<boolean> {
    const { rowCount } = await operator.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle'
        AND query LIKE '%LISTEN bullmq_jobs%' AND state_change < now() - interval '300 ms'`,
    );
    return rowCount === 1;
  }

  async function refuseConnections(yes: boolean): Promise<void> {
    const url = new URL(database.url);
    const name = url.pathname.slice(1);
    url.pathname = '/postgres'; // Refused on a connection to the database itself.
    const outside = new pg.Client({ connectionString: url.href });
    await outside.connect();
    await outside.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${yes ? 'false' : 'true'}`);
    await outside.end();
  }

  /** Inserts a job as BullMQ does, but without notifying its consumers. */
  async function insertWithoutNotification(id: string): Promise<void> {
    const [hint] = makeHints(1);
    await operator.query(
      `INSERT INTO bullmq.job (queue, id, seq, name, state, data, opts, added_at_ms)
       VALUES ('dispatch', $1, 1, 'dispatch', 'waiting', $2, '{"removeOnComplete":true}', 0)`,
      [id, hint],
    );
  }
});
