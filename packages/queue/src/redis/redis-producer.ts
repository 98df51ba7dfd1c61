import { randomUUID } from 'node:crypto';

import { type HintProducer, withinTime } from '@switchboard/core';
import { createRedis, toKeyPrefix } from '@switchboard/redis';
import { Queue } from 'bullmq';

import { DISPATCH, EVENT_LOG_LENGTH, type JobData, PENDING, sumCounts } from '../dispatch-job.ts';
import { sampleQueue } from '../sample-queue.ts';
import { createHintOrder } from '../order-hints.ts';

export interface RedisProducerOptions {
  redisUrl: string;
  redisPrefix: string;
  timeoutMs: number;
  onError(error: Error): void;
}

export function createRedisProducer(options: RedisProducerOptions): HintProducer {
  const { redisUrl, timeoutMs, onError } = options;
  const prefix = toKeyPrefix(redisUrl, options.redisPrefix);
  // Without a connection, commands fail immediately, and when it is lost, those that wait for a response
  // fail too. (With ioredis's other option against resending, their promises stay pending forever.)
  const client = createRedis({
    url: redisUrl,
    timeoutMs,
    silenceMs: timeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  });
  const queue = new Queue<JobData, void, string>(DISPATCH, {
    connection: client,
    prefix,
    streams: { events: { maxLen: EVENT_LOG_LENGTH } },
    // A queue that waits for its first connection, or checks the version of Redis on it, does not
    // recover if that fails.
    skipWaitingForReady: true,
    skipVersionCheck: true,
  });
  queue.on('error', onError);

  const order = createHintOrder({
    sampleQueue: () => call('reading the queue', () => sampleQueue(queue)),
    onError,
  });
  const sentinelKey = `${prefix}:sentinel`;
  let sentinel: string | null = null;
  // Calls wait only for the first attempt to connect; later they fail while there is no connection.
  const firstAttempt = new Promise<void>((resolve) => {
    client.once('ready', resolve);
    client.once('close', resolve);
  });

  function call<T>(what: string, command: () => Promise<T>): Promise<T> {
    const work = firstAttempt.then(() => {
      if (client.status !== 'ready') throw new Error(`${what}: Redis is not connected`);
      return command();
    });
    return withinTime(work, timeoutMs, what);
  }

  return {
    async enqueue(hints) {
      if (hints.length === 0) return;
      const deadline = performance.now() + timeoutMs;
      await call('enqueueing', async () => {
        const jobs = await order.toJobs(hints, deadline);
        const [first, ...more] = jobs;
        // A single job needs no transaction.
        if (first !== undefined && more.length === 0)
          await queue.add(first.name, first.data, first.opts);
        else await queue.addBulk(jobs);
      });
      order.refreshSnapshot();
    },

    /**
     * The first check after a flush writes the sentinel key again with a new value, by which the other
     * processes detect the flush. On an empty Redis, the very first check returns `unseen`.
     */
    async checkContinuity() {
      const fresh = randomUUID();
      const found = await call('checking continuity', async () => {
        const responses = await client
          .multi()
          .set(sentinelKey, fresh, 'NX')
          .get(sentinelKey)
          .exec();
        const [error, value] = responses?.[1] ?? [];
        if (error || typeof value !== 'string') {
          throw new Error('checking continuity: the sentinel key has no value', { cause: error });
        }
        return value;
      });
      const before = sentinel;
      sentinel = found;
      if (before === null) return found === fresh ? 'unseen' : 'intact';
      return found === before ? 'intact' : 'lost';
    },

    async countPending() {
      const counts = await call('counting hints', () => queue.getJobCounts(...PENDING));
      return sumCounts(counts);
    },

    countByState: () => call('counting hints by state', () => queue.getJobCounts()),

    async ping() {
      await call('pinging the queue', () => client.ping());
    },

    async close() {
      await withinTime(queue.close(), timeoutMs, 'closing the queue').catch(onError);
      client.disconnect();
    },
  };
}
