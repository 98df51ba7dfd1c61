import type { HintProducer } from '@switchboard/core';

import { createPostgresProducer } from './postgres/postgres-producer.ts';
import { DEFAULT_REDIS_PREFIX, type QueueOptions } from './queue-options.ts';
import { createRedisProducer } from './redis/redis-producer.ts';

/**
 * Creates the producer, which adds hints to the queue. It connects in the background, so that
 * creation never fails or waits.
 */
export function createHintProducer(options: QueueOptions): HintProducer {
  const { redisUrl, databaseUrl, redisPrefix = DEFAULT_REDIS_PREFIX, timeoutMs, onError } = options;
  return redisUrl === null
    ? createPostgresProducer({ databaseUrl, timeoutMs, onError })
    : createRedisProducer({ redisUrl, redisPrefix, timeoutMs, onError });
}
