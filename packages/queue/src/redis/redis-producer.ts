import { randomUUID } from 'node:crypto';

import { type HintProducer, withinTime } from '@switchboard/core';
import { createRedis, toKeyPrefix } from '@switchboard/redis';
import { Queue } from 'bullmq';

import { DISPATCH, EVENT_LOG_LENGTH, type JobData, PENDING, sumCounts } from '../dispatch-job.ts';
import { lookAtQueue } from '../look-at-queue.ts';
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
  // Nothing is kept for later: what can't be written now fails now, and what was written fails
  // with the connection. (ioredis' other way of not resending leaves its promises open for ever.)
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
    // A queue that waits for a first connection, and asks for the version on it, is dead for
    // ever when that fails.
    skipWaitingForReady: true,
    skipVersionCheck: true,
  });
  queue.on('error', onError);

  const order = createHintOrder({
    look: () => call('looking at the queue', () => lookAtQueue(queue)),
    onError,
  });
  const sentinelKey = `${prefix}:sentinel`;
  let sentinel: string | null = null;
  // Only the first attempt to connect is waited for. After it, "not connected" is an answer.
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
      const givesUpAt = performance.now() + timeoutMs;
      await call('enqueueing', async () => queue.addBulk(await order.toJobs(hints, givesUpAt)));
      order.keepUp();
    },

    /**
     * Whoever looks first after a flush puts the sentinel back, under a new value by which the
     * others notice it too. So an empty Redis is `unseen` to the first look of all.
     */
    async checkContinuity() {
      const fresh = randomUUID();
      const found = await call('checking continuity', async () => {
        const answers = await client.multi().set(sentinelKey, fresh, 'NX').get(sentinelKey).exec();
        const [error, value] = answers?.[1] ?? [];
        if (error || typeof value !== 'string') {
          throw new Error('checking continuity: no sentinel came back', { cause: error });
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
