import { Redis, type RedisOptions } from 'ioredis';

import { reconnectDelayMs } from '../reconnect-delay.ts';

export interface RedisClientOptions extends Pick<
  RedisOptions,
  'enableOfflineQueue' | 'maxRetriesPerRequest'
> {
  redisUrl: string;
  timeoutMs: number;
  /** How long a connection that owes an answer is taken for alive. */
  silenceMs: number;
}

/** Reconnects for ever. */
export function createRedisClient(options: RedisClientOptions): Redis {
  const { redisUrl, timeoutMs, silenceMs, ...rest } = options;
  return new Redis(redisUrl, {
    ...rest,
    connectTimeout: timeoutMs,
    disconnectTimeout: timeoutMs,
    socketTimeout: silenceMs,
    keepAlive: 10_000,
    retryStrategy: (attempt: number) => reconnectDelayMs(attempt - 1),
  });
}
