import { createRedis, toKeyPrefix } from '@switchboard/redis';
import { Worker } from 'bullmq';

import { DISPATCH, type JobData } from '../dispatch-job.ts';
import type { BuiltWorker, JobHandlers } from '../supervise-worker.ts';

/** How long one blocking wait for a job lasts. A new job ends it immediately. */
const BLOCK_SECONDS = 2;
const RETRY_MS = 500;

export interface RedisWorkerOptions extends JobHandlers {
  redisUrl: string;
  redisPrefix: string;
  timeoutMs: number;
  concurrency: number;
  onError(error: Error): void;
}

export function createRedisWorker(options: RedisWorkerOptions): BuiltWorker {
  const { timeoutMs, concurrency, onError } = options;
  // A worker's commands wait for the connection; there are never more of them than jobs in flight.
  // A blocking wait is silent and healthy, so silence is allowed for longer.
  const client = createRedis({
    url: options.redisUrl,
    timeoutMs,
    silenceMs: BLOCK_SECONDS * 1000 + timeoutMs,
    maxRetriesPerRequest: null,
  });
  const worker = new Worker<JobData, void, string>(DISPATCH, options.take, {
    connection: client,
    prefix: toKeyPrefix(options.redisUrl, options.redisPrefix),
    autorun: false,
    concurrency,
    drainDelay: BLOCK_SECONDS,
    runRetryDelay: RETRY_MS,
  });
  worker.on('error', onError);
  worker.on('active', options.startEarly);
  const backend = worker.getBackend();

  return {
    worker,
    async ping() {
      const blocking = await backend.blockingClient;
      if (client.status !== 'ready' || blocking?.status !== 'ready') {
        throw new Error('pinging the queue: Redis is not connected');
      }
      await client.ping();
    },
    wake: () => backend.disconnectBlocking(false),
    async release() {
      client.disconnect();
    },
  };
}
