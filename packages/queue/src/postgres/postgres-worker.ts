import { countConsumerConnections, withinTime } from '@switchboard/core';
import { DISPATCH, type JobData } from '../dispatch-job.ts';
import type { BuiltWorker, JobHandlers } from '../supervise-worker.ts';
import { POLL_AFTER_SECONDS, Worker } from './bullmq-on-postgres.ts';
import { createPostgresPool } from './postgres-pool.ts';

const RETRY_MS = 500;

export interface PostgresWorkerOptions extends JobHandlers {
  databaseUrl: string;
  timeoutMs: number;
  concurrency: number;
  onError(error: Error): void;
}

export function createPostgresWorker(options: PostgresWorkerOptions): BuiltWorker {
  const { timeoutMs, concurrency, onError } = options;
  const maxConnections = countConsumerConnections(concurrency);
  const pool = createPostgresPool({ ...options, maxConnections });
  const worker = new Worker<JobData, void, string>(DISPATCH, options.take, {
    connection: pool.forBullmq,
    autorun: false,
    concurrency,
    drainDelay: POLL_AFTER_SECONDS,
    runRetryDelay: RETRY_MS,
  });
  worker.on('error', onError);
  worker.on('active', options.startEarly);

  return {
    worker,
    ping: () => pool.ping(),
    wake: () => worker.getBackend().disconnectBlocking(),
    async release() {
      await withinTime(pool.end(), timeoutMs, 'closing the queue').catch(onError);
    },
  };
}
