import { setTimeout as delay } from 'node:timers/promises';
import { RedisQueueBackend } from 'bullmq';
import { Redis } from 'ioredis';
import { EVENTUALLY, type RedisServer, startRedis } from '@switchboard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { createHintProducer } from '../src/create-hint-producer.ts';
import { createGate, createHarness, enqueueApart, makeHints, TIMEOUT_MS } from './harness.ts';

describe('the hint queue on Redis', () => {
  let redis: RedisServer;
  let operator: Redis;
  let harness: ReturnType<typeof createHarness>;

  beforeAll(async () => {
    redis = await startRedis();
    operator = new Redis(redis.url);
    operator.on('error', () => undefined); // The tests stop the server on purpose.
  });
  afterAll(async () => {
    operator.disconnect();
    await redis.close();
  });
  beforeEach(() => {
    harness = createHarness({
      redisUrl: redis.url,
      databaseUrl: 'postgres://nowhere.invalid/none',
    });
  });
  afterEach(() => harness.close());

  test('the Redis queue reports lost hints once to each producer after a flush', async () => {
    const [first, second] = [harness.produce(), harness.produce()];
    for (const producer of [first, second]) {
      await producer.checkContinuity();
      expect(await producer.checkContinuity()).toBe('intact');
    }
    await operator.flushall();
    for (const producer of [first, second]) {
      expect(await producer.checkContinuity()).toBe('lost');
      expect(await producer.checkContinuity()).toBe('intact');
    }
  });

  test('the Redis queue reports an empty server to the first producer as new, not as lost hints', async () => {
    await harness.produce().checkContinuity();
    await operator.flushall();
    expect(await harness.produce().checkContinuity()).toBe('unseen');
    expect(await harness.produce().checkContinuity()).toBe('intact');
  });

  test('the Redis queue reports lost hints after the server restarted without its data', async () => {
    const producer = harness.produce();
    await producer.checkContinuity();
    await redis.kill();
    await expect(producer.checkContinuity()).rejects.toThrow();
    await redis.start();
    await vi.waitFor(() => producer.ping(), EVENTUALLY);
    expect(await producer.checkContinuity()).toBe('lost');
  });

  test('a hint of the Redis queue is processed once, and while the consumer still waits for a response to its next request for a job', async () => {
    const { moveToActive } = RedisQueueBackend.prototype;
    let isFetched = false;
    const response = createGate();
    const fetch = vi
      .spyOn(RedisQueueBackend.prototype, 'moveToActive')
      .mockImplementation(async function fetchOnce(this: RedisQueueBackend, ...request) {
        if (isFetched) await response.opened;
        const job = await moveToActive.apply(this, request);
        isFetched ||= Boolean(job[0]);
        return job;
      });
    try {
      const producer = harness.produce();
      await producer.enqueue(makeHints(1));
      // A consumer that already waited for a job would not request another one before it takes this one.
      const consumer = harness.consume();
      await vi.waitFor(() => expect(consumer.taken).toHaveLength(1), EVENTUALLY);
      expect(await producer.countPending()).toBe(1);
      response.open();
      await vi.waitFor(async () => expect(await producer.countPending()).toBe(0), EVENTUALLY);
      expect(consumer.taken).toHaveLength(1);
    } finally {
      response.open();
      fetch.mockRestore();
    }
  });

  test('the Redis queue prints no raw driver error when a producer and a consumer start and close while the server hangs', async () => {
    const printed = vi.spyOn(console, 'error');
    redis.pause();
    try {
      const producer = harness.produce();
      const consumer = harness.consume();
      await expect(producer.enqueue(makeHints(1))).rejects.toThrow();
      // Long enough for one connection attempt to time out and another to start.
      await delay(3 * TIMEOUT_MS);
      await Promise.all([producer.close(), consumer.close(0)]);
      await delay(TIMEOUT_MS);
    } finally {
      redis.resume();
    }
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });

  test('the Redis queue delivers hints after a flush, to a waiting consumer and to one with a hint in progress', async () => {
    const producer = harness.produce();
    const consumer = harness.consume();
    await vi.waitFor(() => consumer.ping(), EVENTUALLY);
    await operator.flushall();
    await producer.enqueue(makeHints(5));
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(5), EVENTUALLY);

    await producer.enqueue(makeHints(500));
    await operator.flushall();
    const after = makeHints(5);
    await producer.enqueue(after);
    await vi.waitFor(
      () => expect(consumer.taken).toEqual(expect.arrayContaining(after)),
      EVENTUALLY,
    );
    await vi.waitFor(async () => expect(await producer.countPending()).toBe(0), EVENTUALLY);
  });

  test('the Redis queue uses only keys with its prefix', async () => {
    await operator.flushall();
    const options = { redisUrl: redis.url, databaseUrl: '', timeoutMs: 10_000 };
    const onError = (error: Error) => harness.errors.push(error);
    const apart = createHintProducer({ ...options, onError, redisPrefix: 'apart' });
    const consumer = harness.consume();
    await enqueueApart(apart, makeHints(3));
    await harness.produce().enqueue(makeHints(2));
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(2), EVENTUALLY);
    expect(await apart.countPending()).toBe(3);
    await apart.close();
    const keys = await operator.keys('*');
    expect(keys.filter((key) => !/^(apart|switchboard):dispatch:/.test(key))).toEqual([]);
    expect(keys.filter((key) => /^switchboard:dispatch:[0-9a-f]{8}-/.test(key))).toEqual([]);
  });

  test('the Redis queue refuses hints while the memory of Redis is full, and accepts them afterwards', async () => {
    const producer = harness.produce();
    const consumer = harness.consume();
    await producer.ping();
    await operator.config('SET', 'maxmemory', '1');
    await expect(producer.enqueue(makeHints(1))).rejects.toThrow(/OOM/);
    await expect(producer.enqueue(makeHints(50))).rejects.toThrow(/OOM/);
    await operator.config('SET', 'maxmemory', '0');
    await producer.enqueue(makeHints(2));
    await vi.waitFor(() => expect(consumer.taken).toHaveLength(2), EVENTUALLY);
  });
});
