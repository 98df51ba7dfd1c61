import { setTimeout as pause } from 'node:timers/promises';
import { EVENTUALLY, startPostgres, startRedis } from '@switchboard/testing';
import { describe, expect, test } from 'vitest';
import { LONG_TIMEOUTS, startBench } from './start-bench.ts';

const RECIPIENT = '+14155550100';
const HANGS = '+15005550023';

type AtEnd = (end: () => Promise<void>) => void;

describe.concurrent('Redis outages', () => {
  async function start(hintGraceMs: number, atEnd: AtEnd) {
    const redis = await startRedis();
    atEnd(() => redis.close());
    const bench = await startBench({ redisUrl: redis.url, hintGraceMs }, atEnd);
    const { workspaceId } = await bench.addWorkspace();
    return { redis, bench, workspaceId };
  }

  test('messages are sent without Redis after it is killed, and with it after it returns', async ({
    onTestFinished,
  }) => {
    const { redis, bench, workspaceId } = await start(200, onTestFinished);
    await bench.startWorker();
    const before = await bench.accept(workspaceId, RECIPIENT);
    await bench.until(before.messageId, (row) => row.dispatch === 'accepted');
    await redis.kill();
    const during = await bench.accept(workspaceId, RECIPIENT, { hint: false });
    await bench.until(during.messageId, (row) => row.dispatch === 'accepted');
    await redis.start();
    const after = await bench.accept(workspaceId, RECIPIENT, { hint: false });
    await bench.until(after.messageId, (row) => row.dispatch === 'accepted');
    expect(await bench.ledger()).toHaveLength(3);
  });

  test('messages are sent without Redis while it hangs', async ({ onTestFinished }) => {
    const { redis, bench, workspaceId } = await start(200, onTestFinished);
    await bench.startWorker();
    redis.pause();
    const hint = await bench.accept(workspaceId, RECIPIENT, { hint: false });
    await bench.until(hint.messageId, (row) => row.dispatch === 'accepted');
    redis.resume();
    expect(await bench.ledger()).toHaveLength(1);
  });

  test('messages are sent without Redis if it is absent at the start', async ({
    onTestFinished,
  }) => {
    const { redis, bench, workspaceId } = await start(0, onTestFinished);
    await redis.kill();
    await bench.startWorker();
    const hint = await bench.accept(workspaceId, RECIPIENT, { hint: false });
    await bench.until(hint.messageId, (row) => row.dispatch === 'accepted');
    await redis.start();
    expect(await bench.ledger()).toHaveLength(1);
  });

  test('a sweep queues all hints again after Redis is flushed', async ({ onTestFinished }) => {
    // Without that, the sweeper would find them only after a minute.
    const { redis, bench, workspaceId } = await start(60_000, onTestFinished);
    // A Redis without an earlier connection also counts as flushed.
    await bench.producer.checkContinuity();
    await bench.startWorker();
    const first = await bench.accept(workspaceId, RECIPIENT);
    await bench.until(first.messageId, (row) => row.dispatch === 'accepted');
    const lost = await Promise.all(
      Array.from({ length: 5 }, () => bench.accept(workspaceId, RECIPIENT, { hint: false })),
    );
    await pause(500);
    expect(await bench.ledger()).toHaveLength(1);
    await redis.kill();
    await redis.start();
    for (const { messageId } of lost) {
      await bench.until(messageId, (row) => row.dispatch === 'accepted');
    }
    expect(await bench.ledger()).toHaveLength(6);
  });
});

describe('PostgreSQL outages', () => {
  test('a worker that starts without PostgreSQL waits for it and then works', async ({
    onTestFinished,
  }) => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.close());
    const bench = await startBench({ databaseUrl: postgres.url, hintGraceMs: 0 });
    const { workspaceId } = await bench.addWorkspace();
    const hint = await bench.accept(workspaceId, RECIPIENT, { hint: false });
    await postgres.stop();
    const started = bench.startWorker();
    expect(await Promise.race([started, pause(1_000, 'waiting')])).toBe('waiting');
    await postgres.start();
    await started;
    await bench.until(hint.messageId, (row) => row.dispatch === 'accepted');
    expect(await bench.ledger()).toHaveLength(1);
  });

  test('a provider’s answer that could not be written is written when the database returns', async ({
    onTestFinished,
  }) => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.close());
    const bench = await startBench({
      databaseUrl: postgres.url,
      // Neither a look-up nor a resend may resolve it.
      settings: { PROVIDER_TIMEOUT_MS: '5000', LEASE_MS: '60000', UNKNOWN_LOOKUPS_MS: '60000' },
    });
    const { workspaceId } = await bench.addWorkspace();
    await bench.startWorker();
    await bench.behave({ latency_ms: 1_500 });
    const hint = await bench.accept(workspaceId, RECIPIENT);
    await expect.poll(() => bench.ledger(), { timeout: 5_000 }).toHaveLength(1);
    await postgres.kill();
    await pause(2_000);
    await postgres.start();
    const row = await bench.until(hint.messageId, (now) => now.dispatch === 'accepted', 15_000);
    expect(row).toMatchObject({ attempt: 1, sid_adopted: false });
    // The worker still processes hints.
    await bench.behave({ latency_ms: 0 });
    const next = await bench.accept(workspaceId, RECIPIENT);
    await bench.until(next.messageId, (now) => now.dispatch === 'accepted');
    expect(await bench.ledger()).toHaveLength(2);
  });
});

test('a workspace whose provider hangs does not slow down the messages of other workspaces', async () => {
  const bench = await startBench();
  const stuck = await bench.addWorkspace();
  const other = await bench.addWorkspace();
  await bench.startWorker({
    WORKER_CONCURRENCY: '8',
    PROVIDER_TIMEOUT_MS: '4000',
    LEASE_MS: '20000',
    UNKNOWN_LOOKUPS_MS: '60000',
  });
  const warm = await bench.accept(other.workspaceId, RECIPIENT);
  await bench.until(warm.messageId, (row) => row.dispatch === 'accepted');
  for (let i = 0; i < 40; i += 1) await bench.accept(stuck.workspaceId, HANGS);
  await expect.poll(() => bench.ledger(stuck.accountSid), { timeout: 3_000 }).not.toEqual([]);
  for (let i = 0; i < 10; i += 1) {
    const startedAt = performance.now();
    const { messageId } = await bench.accept(other.workspaceId, RECIPIENT);
    await bench.until(messageId, (row) => row.dispatch === 'accepted');
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  }
  const stillStuck = await bench.ledger(stuck.accountSid);
  expect(stillStuck.length).toBeLessThanOrEqual(6);
});

test('a worker that stops finishes its calls, writes their outcomes, and leaves the other messages to other workers', async () => {
  const bench = await startBench();
  const { workspaceId } = await bench.addWorkspace();
  // Longer than it takes to see both calls, however busy the machine is.
  await bench.behave({ latency_ms: 4_000 });
  const worker = await bench.startWorker({
    ...LONG_TIMEOUTS,
    WORKER_CONCURRENCY: '2',
    SWEEP_MS: '60000',
  });
  const hints = [];
  for (let i = 0; i < 5; i += 1) hints.push(await bench.accept(workspaceId, RECIPIENT));
  await expect.poll(() => bench.ledger(), { timeout: 15_000 }).toHaveLength(2);
  await worker.stop();
  const rows = await Promise.all(hints.map(({ messageId }) => bench.row(messageId)));
  expect(rows.map((row) => row.dispatch).toSorted()).toEqual([
    'accepted',
    'accepted',
    'ready',
    'ready',
    'ready',
  ]);
  await bench.behave({ latency_ms: 0 });
  // Only hints can start them: the sweeper does not run within the test.
  await bench.startWorker({ SWEEP_MS: '60000' });
  for (const { messageId } of hints) {
    await bench.until(messageId, (row) => row.dispatch === 'accepted');
  }
  expect(await bench.ledger()).toHaveLength(5);
});

test('the worker serves metrics and readiness on METRICS_PORT', async () => {
  const bench = await startBench();
  const { workspaceId } = await bench.addWorkspace();
  const { url } = await bench.startWorker({ METRICS_PORT: '0' });
  const { messageId } = await bench.accept(workspaceId, RECIPIENT);
  await bench.until(messageId, (row) => row.dispatch === 'accepted');
  const get = (path: string) => fetch(`${url}${path}`, { headers: { connection: 'close' } });
  await expect.poll(async () => (await get('/health/ready')).status, EVENTUALLY).toBe(200);
  expect(await (await get('/metrics')).text()).toContain(
    'switchboard_provider_outcomes_total{outcome="accepted"} 1',
  );
});
