import type { HintConsumer } from '@switchboard/core';

import { createPostgresWorker } from './postgres/postgres-worker.ts';
import { type ConsumerOptions, DEFAULT_REDIS_PREFIX } from './queue-options.ts';
import { createRedisWorker } from './redis/redis-worker.ts';
import { superviseWorker } from './supervise-worker.ts';

/** Creates the worker that takes hints, as soon as the backend is available. */
export function createHintConsumer(options: ConsumerOptions): HintConsumer {
  const { redisUrl, databaseUrl, redisPrefix = DEFAULT_REDIS_PREFIX } = options;
  const { timeoutMs, concurrency, onError } = options;
  return superviseWorker({
    timeoutMs,
    onError,
    process: options.process,
    build: (handlers) =>
      redisUrl === null
        ? createPostgresWorker({ databaseUrl, timeoutMs, concurrency, onError, ...handlers })
        : createRedisWorker({
            redisUrl,
            redisPrefix,
            timeoutMs,
            concurrency,
            onError,
            ...handlers,
          }),
  });
}
