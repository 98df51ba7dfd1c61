/** PostgreSQL ends a statement that takes longer. */
export const STATEMENT_TIMEOUT_MS = 10_000;

/** The maximum number of PostgreSQL connections of each pool of a process. */
export const POOL_SIZES = {
  api: 16,
  /** To a replica, which has its own connection limit. */
  apiHistory: 8,
  worker: 12,
  /** Only without Redis: adds hints to the queue, in APIs and workers. */
  queueProducer: 4,
} as const;

/** How many jobs, each with a few hints, a worker takes from the queue at the same time. */
export const INTAKE_CONCURRENCY = 4;

/** Counts the connections that take hints from the queue without Redis. One of them listens. */
export function countConsumerConnections(concurrency: number): number {
  return 2 + Math.min(concurrency, 8);
}

/** Only without Redis: one connection listens for events, and one publishes them. */
const EVENT_BUS = 2;

/** Returns the maximum number of connections to the primary of one API and of one worker. */
export function countConnections(settings: { hasRedis: boolean; isThroughPgBouncer: boolean }): {
  api: number;
  worker: number;
} {
  // The queue and the bus need their own sessions, so they never use PgBouncer.
  const direct = settings.hasRedis ? 0 : POOL_SIZES.queueProducer + EVENT_BUS;
  const consumer = settings.hasRedis ? 0 : countConsumerConnections(INTAKE_CONCURRENCY);
  const pools = settings.isThroughPgBouncer ? { api: 0, worker: 0 } : POOL_SIZES;
  return { api: pools.api + direct, worker: pools.worker + direct + consumer };
}
