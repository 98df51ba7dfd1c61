import { AppError, createBatch, withinTime } from '@switchboard/core';
import { createRedis, toKeyPrefix } from '@switchboard/redis';
import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { createCountInRedis, type Window } from './count-in-redis.ts';
import { watchStore } from './watch-store.ts';

export const LIMIT_HEADERS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
] as const;

/** Requests of one client in a window that starts with its first request. */
export interface RateLimit {
  /** Counts a request and sets the three headers. Throws `rate_limited` beyond the limit. */
  consume(clientId: string, reply: FastifyReply): Promise<void>;
}

export interface RateLimitStore {
  createLimit(options: { name: string; requests: number; windowSeconds: number }): RateLimit;
  createFailureLimit(options: {
    name: string;
    failures: number;
    windowSeconds: number;
  }): FailureLimit;
  close(): Promise<void>;
}

/** Failures of one client in a window; what succeeds does not count. */
export interface FailureLimit {
  /**
   * Counts the attempt as failed before it is made, so that attempts side by side can't slip
   * through. Throws `rate_limited` when the failures are used up.
   */
  begin(clientId: string): Promise<void>;
  /** Takes back the count of an attempt that succeeded. */
  succeed(clientId: string): Promise<void>;
}

export interface RateLimitStoreOptions {
  /** Where windows live: on this Redis, or, when null, in PostgreSQL. */
  redisUrl: string | null;
  pool: pg.Pool;
  /** Bound of every call to the store. */
  timeoutMs: number;
  onError(error: unknown): void;
}

/**
 * Windows shared by all processes. While their store is away each process counts by itself, with
 * the same limits: clients are neither let through without bound nor turned away.
 */
export function createRateLimitStore(options: RateLimitStoreOptions): RateLimitStore {
  const { pool, timeoutMs, redisUrl } = options;
  const redis = redisUrl === null ? null : createClient(redisUrl, options);
  const store = watchStore({
    ping: () =>
      withinTime<unknown>(
        redis === null ? pool.query('SELECT 1') : redis.ping(),
        timeoutMs,
        'looking for the store of limits',
      ),
    onError: options.onError,
  });

  function createLimiters(name: string, points: number, duration: number) {
    const keyPrefix = redisUrl === null ? `limit:${name}` : toKeyPrefix(redisUrl, `limit:${name}`);
    const common = { keyPrefix, points, duration };
    const shared: RateLimiterAbstract =
      redis === null
        ? new RateLimiterPostgres({
            ...common,
            storeClient: pool,
            storeType: 'pool',
            tableName: 'rate_limits',
            tableCreated: true,
          })
        : new RateLimiterRedis({ ...common, storeClient: redis });
    return { keyPrefix, shared, own: new RateLimiterMemory(common) };
  }

  /** `own` stands in for `shared` while the store is away. */
  async function ask<T>(shared: () => Promise<T>, own: () => Promise<T>): Promise<T> {
    if (store.isAway()) return own();
    try {
      return await withinTime(shared(), timeoutMs, 'counting requests');
    } catch (error) {
      // A refusal is an answer; anything else means that the store gave none.
      if (error instanceof RateLimiterRes) throw error;
      store.reportFailure(error);
      return await own();
    }
  }

  return {
    createLimit({ name, requests, windowSeconds }) {
      const limiters = createLimiters(name, requests, windowSeconds);
      const countShared =
        redis === null
          ? countEach(limiters.shared)
          : createCountInRedis(redis, { keyPrefix: limiters.keyPrefix, windowSeconds });
      const countOwn = countEach(limiters.own);
      const countNext = createCounter((numbers) =>
        ask(
          () => countShared(numbers),
          () => countOwn(numbers),
        ),
      );
      return {
        async consume(clientId, reply) {
          const { position, resetSeconds } = await countNext(clientId);
          reply
            .header('x-ratelimit-limit', String(requests))
            .header('x-ratelimit-remaining', String(Math.max(0, requests - position)))
            .header('x-ratelimit-reset', String(resetSeconds));
          if (position > requests) {
            throw new AppError(
              'rate_limited',
              `More than ${requests} requests in ${windowSeconds} seconds`,
              { retryAfterSeconds: resetSeconds },
            );
          }
        },
      };
    },

    createFailureLimit({ name, failures, windowSeconds }) {
      const { shared, own } = createLimiters(name, failures, windowSeconds);
      const askEither = <T>(call: (limiter: RateLimiterAbstract) => Promise<T>) =>
        ask(
          () => call(shared),
          () => call(own),
        );
      return {
        async begin(clientId) {
          const consumed = askEither((limiter) => limiter.consume(clientId));
          const { allowed, result } = await settle(consumed);
          if (!allowed) {
            throw new AppError('rate_limited', 'Too many failed attempts; try again later', {
              retryAfterSeconds: toSeconds(result),
            });
          }
        },
        async succeed(clientId) {
          await askEither((limiter) => limiter.reward(clientId));
        },
      };
    },

    async close() {
      store.close();
      redis?.disconnect();
    },
  };
}

/** How many requests each client has made, to the state of each client's window. */
type Count = (numbers: ReadonlyMap<string, number>) => Promise<Map<string, Window>>;

function countEach(limiter: RateLimiterAbstract): Count {
  return async (numbers) =>
    new Map(
      await Promise.all(
        Array.from(numbers, async ([clientId, number]) => {
          const { result } = await settle(limiter.consume(clientId, number));
          return [clientId, result] as const;
        }),
      ),
    );
}

/** Which request of its client's window one is. */
interface Counted {
  /** From 1 on. */
  position: number;
  resetSeconds: number;
}

/**
 * Requests that come together are counted in one call, and each gets the position that it would
 * have had in a call of its own: a window counts refused requests too.
 */
function createCounter(count: Count) {
  return createBatch<string, Counted>({
    maxSize: 500,
    concurrency: 2,
    maxWaiting: 10_000,
    async run(clientIds) {
      const numbers = new Map<string, number>();
      for (const id of clientIds) numbers.set(id, (numbers.get(id) ?? 0) + 1);
      const windows = await count(numbers);
      return clientIds.map((id) => {
        const window = windows.get(id);
        const left = numbers.get(id);
        if (window === undefined || left === undefined) throw new Error('a client was not counted');
        numbers.set(id, left - 1);
        return { position: window.consumedPoints - left + 1, resetSeconds: toSeconds(window) };
      });
    },
  });
}

function createClient(
  url: string,
  { onError, timeoutMs }: Pick<RateLimitStoreOptions, 'onError' | 'timeoutMs'>,
) {
  const redis = createRedis({
    url,
    timeoutMs,
    // A request must not wait for a Redis that is away: it is counted here instead.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: timeoutMs,
  });
  redis.on('error', onError);
  return redis;
}

async function settle(
  consumed: Promise<RateLimiterRes>,
): Promise<{ allowed: boolean; result: RateLimiterRes }> {
  try {
    return { allowed: true, result: await consumed };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { allowed: false, result: error };
    throw error;
  }
}

/** Whole seconds until the window ends, at least one. */
function toSeconds({ msBeforeNext }: Pick<Window, 'msBeforeNext'>): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
