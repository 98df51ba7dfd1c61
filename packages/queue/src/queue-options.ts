import type { HintConsumerOptions } from '@switchboard/core';

export interface QueueOptions {
  /** Decides the backend: BullMQ on this Redis, or, when null, on the PostgreSQL database. */
  redisUrl: string | null;
  databaseUrl: string;
  /** Bound of every call. */
  timeoutMs: number;
  /** Told of trouble in the background. The queue recovers by itself; this is for the log. */
  onError(error: Error): void;
  /** Before every Redis key, so that two installations can share one Redis. */
  redisPrefix?: string;
}

export interface ConsumerOptions extends QueueOptions, HintConsumerOptions {}

export const DEFAULT_REDIS_PREFIX = 'switchboard';
