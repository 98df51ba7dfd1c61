import { type DispatchHint, type HintProducer, POOL_SIZES, withinTime } from '@switchboard/core';

import { DISPATCH, EVENT_LOG_LENGTH, type JobData, PENDING, sumCounts } from '../dispatch-job.ts';
import { sampleQueue } from '../sample-queue.ts';
import { createHintOrder } from '../order-hints.ts';
import { Queue } from './bullmq-on-postgres.ts';
import { createPostgresPool } from './postgres-pool.ts';

export interface PostgresProducerOptions {
  databaseUrl: string;
  timeoutMs: number;
  onError(error: Error): void;
}

const MAX_CONNECTIONS = POOL_SIZES.queueProducer;

/**
 * BullMQ's bulk insert creates and drops two temporary tables: 2.5 ms and about 26 dead rows in the
 * catalog for each call, whatever its size. A single insert takes 0.4 ms, but needs a free
 * connection: a job that waits for one could be added after its caller was refused.
 */
const MAX_SINGLE_INSERTS = MAX_CONNECTIONS;

export function createPostgresProducer(options: PostgresProducerOptions): HintProducer {
  const { timeoutMs, onError } = options;
  const pool = createPostgresPool({ ...options, maxConnections: MAX_CONNECTIONS });
  let opened: ReturnType<typeof open> | null = null;

  async function open() {
    const queue = new Queue<JobData, void, string>(DISPATCH, {
      connection: pool.forBullmq,
      streams: { events: { maxLen: EVENT_LOG_LENGTH } },
    });
    queue.on('error', onError);
    await queue.waitUntilReady();
    return queue;
  }

  /** A queue that was built while the database did not respond is never ready: it is discarded. */
  function getQueue() {
    opened ??= open().catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  }

  const order = createHintOrder({
    sampleQueue: () => withinTime(getQueue().then(sampleQueue), timeoutMs, 'reading the queue'),
    onError,
  });

  async function add(hints: readonly DispatchHint[]): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    const queue = await getQueue();
    const jobs = await order.toJobs(hints, deadline);
    if (jobs.length > MAX_SINGLE_INSERTS) await queue.addBulk(jobs);
    else await Promise.all(jobs.map((job) => queue.add(job.name, job.data, job.opts)));
  }

  return {
    async enqueue(hints) {
      if (hints.length === 0) return;
      await withinTime(add(hints), timeoutMs, 'enqueueing');
      order.refreshSnapshot();
    },

    // The jobs are in the database of the rows, so they are lost only together. The sweeper finds the
    // messages of the last few hints before a crash.
    checkContinuity: async () => 'intact',

    async countPending() {
      const work = getQueue().then((queue) => queue.getJobCounts(...PENDING));
      const counts = await withinTime(work, timeoutMs, 'counting hints');
      return sumCounts(counts);
    },

    countByState() {
      const work = getQueue().then((queue) => queue.getJobCounts());
      return withinTime(work, timeoutMs, 'counting hints by state');
    },

    async ping() {
      await withinTime(Promise.all([getQueue(), pool.ping()]), timeoutMs, 'pinging the queue');
    },

    async close() {
      await withinTime(pool.end(), timeoutMs, 'closing the queue').catch(onError);
    },
  };
}
