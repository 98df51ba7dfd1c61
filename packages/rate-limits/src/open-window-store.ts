import { withinTime } from '@switchboard/core';
import { createRedis, toKeyPrefix } from '@switchboard/redis';
import type pg from 'pg';
import { createCountInMemory } from './memory/count-in-memory.ts';
import { createCountInPostgres, deleteEndedWindows } from './postgres/count-in-postgres.ts';
import { createCountInRedis } from './redis/count-in-redis.ts';
import { watchStore } from './watch-store.ts';
import type { WindowStore } from './window-store.ts';

export interface WindowStoreOptions {
  /** The Redis that stores windows; null to use PostgreSQL. */
  redisUrl: string | null;
  pool: pg.Pool;
  /** The timeout of every call to the store. */
  timeoutMs: number;
  onError(error: unknown): void;
}

const KEY_PREFIX = 'limit';
const CLEAN_UP_EVERY_MS = 300_000;

/**
 * Opens the windows that all processes share. While the store is unavailable, each process counts
 * separately with the same limits, so that clients are neither unlimited nor refused.
 */
export function openWindowStore(
  options: WindowStoreOptions,
): WindowStore & { close(): Promise<void> } {
  const { pool, timeoutMs, onError } = options;
  const own = createCountInMemory({ monotonic: () => performance.now() });
  const shared =
    options.redisUrl === null
      ? openInPostgres(pool, onError)
      : openInRedis(options.redisUrl, options);
  const watch = watchStore({
    ping: () => withinTime(shared.ping(), timeoutMs, 'pinging the rate-limit store'),
    onError,
  });

  async function callEither<T>(call: (store: WindowStore) => Promise<T>): Promise<T> {
    if (watch.isUnavailable()) return call(own);
    try {
      return await withinTime(call(shared.store), timeoutMs, 'counting requests');
    } catch (error) {
      watch.reportFailure(error);
      return await call(own);
    }
  }

  return {
    count: (clients, rule) => callEither((store) => store.count(clients, rule)),
    removeCount: (client) => callEither((store) => store.removeCount(client)),
    async close() {
      watch.close();
      shared.close();
    },
  };
}

interface SharedStore {
  store: WindowStore;
  ping(): Promise<unknown>;
  close(): void;
}

function openInPostgres(pool: pg.Pool, onError: (error: unknown) => void): SharedStore {
  const cleanUp = setInterval(() => {
    deleteEndedWindows(pool).catch(onError);
  }, CLEAN_UP_EVERY_MS).unref();
  return {
    store: createCountInPostgres(pool, KEY_PREFIX),
    ping: () => pool.query('SELECT 1'),
    close: () => clearInterval(cleanUp),
  };
}

function openInRedis(
  url: string,
  { onError, timeoutMs }: Pick<WindowStoreOptions, 'onError' | 'timeoutMs'>,
): SharedStore {
  const redis = createRedis({
    url,
    timeoutMs,
    // A request must not wait for an unavailable Redis, so it is counted in memory instead.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: timeoutMs,
  });
  redis.on('error', onError);
  return {
    store: createCountInRedis(redis, toKeyPrefix(url, KEY_PREFIX)),
    ping: () => redis.ping(),
    close: () => redis.disconnect(),
  };
}
