import { type DispatchHint, type HintProducer, POOL_SIZES, withinTime } from '@switchboard/core';

import { DISPATCH, EVENT_LOG_LENGTH, type JobData, PENDING, sumCounts } from '../dispatch-job.ts';
import { lookAtQueue } from '../look-at-queue.ts';
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
 * BullMQ's bulk insert makes and drops two temporary tables: 2.5 ms and some twenty-six dead rows
 * in the catalogue for each call, whatever its size. A single insert takes 0.4 ms, but needs a
 * connection at once: one that waited for it would be made after its caller was refused.
 */
const MOST_SINGLE = MAX_CONNECTIONS;

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

  /** A queue built while the database is away never gets ready: it is thrown away, not kept. */
  function getQueue() {
    opened ??= open().catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  }

  const order = createHintOrder({
    look: () => withinTime(getQueue().then(lookAtQueue), timeoutMs, 'looking at the queue'),
    onError,
  });

  async function add(hints: readonly DispatchHint[]): Promise<void> {
    const givesUpAt = performance.now() + timeoutMs;
    const queue = await getQueue();
    const jobs = await order.toJobs(hints, givesUpAt);
    if (jobs.length > MOST_SINGLE) await queue.addBulk(jobs);
    else await Promise.all(jobs.map((job) => queue.add(job.name, job.data, job.opts)));
  }

  return {
    async enqueue(hints) {
      if (hints.length === 0) return;
      await withinTime(add(hints), timeoutMs, 'enqueueing');
      order.keepUp();
    },

    // The jobs live in the database that holds the rows: whoever loses the one loses the other.
    // The last few hints before a crash of the database are for the sweeper, as lost ones always.
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
