import type { HintConsumerOptions } from '@switchboard/core';

export interface QueueOptions {
  /** The Redis that BullMQ uses; null: it uses the PostgreSQL database. */
  redisUrl: string | null;
  databaseUrl: string;
  /** Limit of every call. */
  timeoutMs: number;
  /** Called with background errors, for the log. The queue recovers on its own. */
  onError(error: Error): void;
  /** Prefix of every Redis key, so that two installations can share one Redis. */
  redisPrefix?: string;
}

export interface ConsumerOptions extends QueueOptions, HintConsumerOptions {}

export const DEFAULT_REDIS_PREFIX = 'switchboard';
