import type { HintProducer } from '@switchboard/core';

import { createPostgresProducer } from './postgres/postgres-producer.ts';
import { DEFAULT_REDIS_PREFIX, type QueueOptions } from './queue-options.ts';
import { createRedisProducer } from './redis/redis-producer.ts';

/** Creates what adds hints to the queue. Never fails and never waits: it connects in the background. */
export function createHintProducer(options: QueueOptions): HintProducer {
  const { redisUrl, databaseUrl, redisPrefix = DEFAULT_REDIS_PREFIX, timeoutMs, onError } = options;
  return redisUrl === null
    ? createPostgresProducer({ databaseUrl, timeoutMs, onError })
    : createRedisProducer({ redisUrl, redisPrefix, timeoutMs, onError });
}
