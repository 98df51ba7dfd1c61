import { setTimeout as pause } from 'node:timers/promises';
import { EVENTUALLY, startPostgres, startRedis } from '@switchboard/testing';
import { describe, expect, test } from 'vitest';
import { LONG_TIMEOUTS, startBench } from './start-bench.ts';

const RECIPIENT = '+14155550100';
const HANGS = '+15005550023';

type AtEnd = (end: () => Promise<void>) => void;

describe.concurrent('with Redis', () => {
  async function start(hintGraceMs: number, atEnd: AtEnd) {
    const redis = await startRedis();
    atEnd(() => redis.close());
    const bench = await startBench({ redisUrl: redis.url, hintGraceMs }, atEnd);
    const { workspaceId } = await bench.addWorkspace();
    return { redis, bench, workspaceId };
  }

  test('killed, messages are sent without it; back again, with it', async ({ onTestFinished }) => {
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

  test('hung, messages are sent without it', async ({ onTestFinished }) => {
    const { redis, bench, workspaceId } = await start(200, onTestFinished);
    await bench.startWorker();
    redis.pause();
    const hint = await bench.accept(workspaceId, RECIPIENT, { hint: false });
    await bench.until(hint.messageId, (row) => row.dispatch === 'accepted');
    redis.resume();
    expect(await bench.ledger()).toHaveLength(1);
  });

  test('absent at the start, messages are sent without it', async ({ onTestFinished }) => {
    const { redis, bench, workspaceId } = await start(0, onTestFinished);
    await redis.kill();
    await bench.startWorker();
    const hint = await bench.accept(workspaceId, RECIPIENT, { hint: false });
    await bench.until(hint.messageId, (row) => row.dispatch === 'accepted');
    await redis.start();
    expect(await bench.ledger()).toHaveLength(1);
  });

  test('flushed, all waiting messages are hinted again in a sweep', async ({ onTestFinished }) => {
    // The sweeper itself would not look at them for a minute.
    const { redis, bench, workspaceId } = await start(60_000, onTestFinished);
    // A Redis without earlier contact counts as flushed, too.
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

describe('with a PostgreSQL that goes away', () => {
  test('a worker started without it waits for it, and works when it is there', async ({
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

  test('an answer that could not be written at once is written when the database is back', async ({
    onTestFinished,
  }) => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.close());
    const bench = await startBench({
      databaseUrl: postgres.url,
      // Neither a look-up nor a resend may be what settles it.
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
    // And it still takes hints.
    await bench.behave({ latency_ms: 0 });
    const next = await bench.accept(workspaceId, RECIPIENT);
    await bench.until(next.messageId, (now) => now.dispatch === 'accepted');
    expect(await bench.ledger()).toHaveLength(2);
  });
});

test('one workspace’s provider hanging leaves the others’ messages as fast as ever', async () => {
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

test('a worker that is stopped finishes its calls, writes their outcomes, and leaves the rest to other workers', async () => {
  const bench = await startBench();
  const { workspaceId } = await bench.addWorkspace();
  await bench.behave({ latency_ms: 600 });
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
  // Only hints can bring them to it: its sweeper does not look within the test.
  await bench.startWorker({ SWEEP_MS: '60000' });
  for (const { messageId } of hints) {
    await bench.until(messageId, (row) => row.dispatch === 'accepted', 5_000);
  }
  expect(await bench.ledger()).toHaveLength(5);
});

test('metrics and readiness are served where asked for', async () => {
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
