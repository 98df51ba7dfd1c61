import { setTimeout as delay } from 'node:timers/promises';
import { EVENTUALLY, startPostgres, startRedis } from '@switchboard/testing';
import { describe, expect, test } from 'vitest';
import { LONG_TIMEOUTS, SLOW_CALLS, startEnvironment } from './start-environment.ts';

const RECIPIENT = '+14155550100';
const HANGS = '+15005550023';

type AtEnd = (end: () => Promise<void>) => void;

describe.concurrent('Redis outages', () => {
  async function start(hintGraceMs: number | undefined, atEnd: AtEnd) {
    const redis = await startRedis();
    atEnd(() => redis.close());
    const environment = await startEnvironment(
      { redisUrl: redis.url, ...(hintGraceMs !== undefined && { hintGraceMs }) },
      atEnd,
    );
    const { workspaceId } = await environment.addWorkspace();
    return { redis, environment, workspaceId };
  }

  test('messages are sent without Redis after it is killed, and with it after it returns', async ({
    onTestFinished,
  }) => {
    const { redis, environment, workspaceId } = await start(200, onTestFinished);
    await environment.startWorker(LONG_TIMEOUTS);
    const before = await environment.accept(workspaceId, RECIPIENT);
    await environment.until(before.messageId, (row) => row.dispatch === 'accepted');
    await redis.kill();
    const during = await environment.accept(workspaceId, RECIPIENT, { hint: false });
    await environment.until(during.messageId, (row) => row.dispatch === 'accepted');
    await redis.start();
    const after = await environment.accept(workspaceId, RECIPIENT, { hint: false });
    await environment.until(after.messageId, (row) => row.dispatch === 'accepted');
    expect(await environment.ledger()).toHaveLength(3);
  });

  test('messages are sent without Redis while it hangs', async ({ onTestFinished }) => {
    const { redis, environment, workspaceId } = await start(200, onTestFinished);
    await environment.startWorker(LONG_TIMEOUTS);
    redis.pause();
    const hint = await environment.accept(workspaceId, RECIPIENT, { hint: false });
    await environment.until(hint.messageId, (row) => row.dispatch === 'accepted');
    redis.resume();
    expect(await environment.ledger()).toHaveLength(1);
  });

  test('messages are sent without Redis if it is unavailable at the start', async ({
    onTestFinished,
  }) => {
    const { redis, environment, workspaceId } = await start(0, onTestFinished);
    await redis.kill();
    await environment.startWorker(LONG_TIMEOUTS);
    const hint = await environment.accept(workspaceId, RECIPIENT, { hint: false });
    await environment.until(hint.messageId, (row) => row.dispatch === 'accepted');
    await redis.start();
    expect(await environment.ledger()).toHaveLength(1);
  });

  test('a sweep queues all hints again after Redis is flushed', async ({ onTestFinished }) => {
    // No sweep finds them within the test.
    const { redis, environment, workspaceId } = await start(undefined, onTestFinished);
    // A Redis without an earlier connection also counts as flushed.
    await environment.producer.checkContinuity();
    await environment.startWorker(LONG_TIMEOUTS);
    const first = await environment.accept(workspaceId, RECIPIENT);
    await environment.until(first.messageId, (row) => row.dispatch === 'accepted');
    const lost = await Promise.all(
      Array.from({ length: 5 }, () => environment.accept(workspaceId, RECIPIENT, { hint: false })),
    );
    await delay(500);
    expect(await environment.ledger()).toHaveLength(1);
    await redis.kill();
    await redis.start();
    for (const { messageId } of lost) {
      await environment.until(messageId, (row) => row.dispatch === 'accepted');
    }
    expect(await environment.ledger()).toHaveLength(6);
  });
});

describe('PostgreSQL outages', () => {
  test('a worker that starts without PostgreSQL waits for it and then works', async ({
    onTestFinished,
  }) => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.close());
    const environment = await startEnvironment({ databaseUrl: postgres.url, hintGraceMs: 0 });
    const { workspaceId } = await environment.addWorkspace();
    const hint = await environment.accept(workspaceId, RECIPIENT, { hint: false });
    await postgres.stop();
    const started = environment.startWorker(LONG_TIMEOUTS);
    expect(await Promise.race([started, delay(1_000, 'waiting')])).toBe('waiting');
    await postgres.start();
    await started;
    await environment.until(hint.messageId, (row) => row.dispatch === 'accepted');
    expect(await environment.ledger()).toHaveLength(1);
  });

  test('a provider’s response that could not be written is written when the database returns', async ({
    onTestFinished,
  }) => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.close());
    const environment = await startEnvironment({
      databaseUrl: postgres.url,
      // Neither a lookup nor a resend may resolve it.
      settings: { PROVIDER_TIMEOUT_MS: '30000', LEASE_MS: '90000', UNKNOWN_LOOKUPS_MS: '90000' },
    });
    const { workspaceId } = await environment.addWorkspace();
    await environment.startWorker();
    await environment.behave({ latency_ms: 4_000 });
    const hint = await environment.accept(workspaceId, RECIPIENT);
    await expect.poll(() => environment.ledger(), EVENTUALLY).toHaveLength(1);
    await postgres.kill();
    // The response arrives while the database is down.
    await delay(5_000);
    await postgres.start();
    const row = await environment.until(hint.messageId, (now) => now.dispatch === 'accepted');
    expect(row).toMatchObject({ attempt: 1, sid_adopted: false });
    // The worker still processes hints.
    await environment.behave({ latency_ms: 0 });
    const next = await environment.accept(workspaceId, RECIPIENT);
    await environment.until(next.messageId, (now) => now.dispatch === 'accepted');
    expect(await environment.ledger()).toHaveLength(2);
  });
});

test('a workspace whose provider hangs does not slow down the messages of other workspaces', async () => {
  const environment = await startEnvironment();
  const stuck = await environment.addWorkspace();
  const other = await environment.addWorkspace();
  await environment.startWorker({
    ...SLOW_CALLS,
    WORKER_CONCURRENCY: '8',
  });
  const firstMessage = await environment.accept(other.workspaceId, RECIPIENT);
  await environment.until(firstMessage.messageId, (row) => row.dispatch === 'accepted');
  for (let i = 0; i < 40; i += 1) await environment.accept(stuck.workspaceId, HANGS);
  await expect.poll(() => environment.ledger(stuck.accountSid), EVENTUALLY).not.toEqual([]);
  for (let i = 0; i < 5; i += 1) {
    const { messageId } = await environment.accept(other.workspaceId, RECIPIENT);
    await environment.until(messageId, (row) => row.dispatch === 'accepted');
  }
  // No hung call has ended, because otherwise another one would have started.
  expect((await environment.ledger(stuck.accountSid)).length).toBeLessThanOrEqual(6);
  // This resets the connections of the hung calls, for which the worker would wait when it stops.
  await environment.simulator.stop();
});

test('a worker that stops finishes its calls, writes their outcomes, and leaves the other messages to other workers', async () => {
  const environment = await startEnvironment();
  const { workspaceId } = await environment.addWorkspace();
  // Long enough to stop during both calls, even on a busy machine.
  await environment.behave({ latency_ms: 10_000 });
  const worker = await environment.startWorker({
    ...SLOW_CALLS,
    WORKER_CONCURRENCY: '2',
    SWEEP_MS: '60000',
  });
  const hints = [];
  for (let i = 0; i < 5; i += 1) hints.push(await environment.accept(workspaceId, RECIPIENT));
  await expect.poll(() => environment.ledger(), EVENTUALLY).toHaveLength(2);
  await worker.stop();
  const rows = await Promise.all(hints.map(({ messageId }) => environment.row(messageId)));
  expect(rows.map((row) => row.dispatch).toSorted()).toEqual([
    'accepted',
    'accepted',
    'ready',
    'ready',
    'ready',
  ]);
  await environment.behave({ latency_ms: 0 });
  // Only hints can start them: the sweeper does not run within the test.
  await environment.startWorker({ ...LONG_TIMEOUTS, SWEEP_MS: '60000' });
  for (const { messageId } of hints) {
    await environment.until(messageId, (row) => row.dispatch === 'accepted', 40_000);
  }
  expect(await environment.ledger()).toHaveLength(5);
});

test('the worker serves metrics and readiness on METRICS_PORT', async () => {
  const environment = await startEnvironment();
  const { workspaceId } = await environment.addWorkspace();
  const { url } = await environment.startWorker({ METRICS_PORT: '0' });
  const { messageId } = await environment.accept(workspaceId, RECIPIENT);
  await environment.until(messageId, (row) => row.dispatch === 'accepted');
  const get = (path: string) => fetch(`${url}${path}`, { headers: { connection: 'close' } });
  await expect.poll(async () => (await get('/health/ready')).status, EVENTUALLY).toBe(200);
  expect(await (await get('/metrics')).text()).toContain(
    'switchboard_provider_outcomes_total{outcome="accepted",provider="twilio"} 1',
  );
});
