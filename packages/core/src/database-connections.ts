/** How many connections to PostgreSQL each pool of a process opens at most. */
export const POOL_SIZES = {
  api: 16,
  /** To a replica, which has a limit of its own. */
  apiHistory: 8,
  worker: 12,
  /** Without Redis: what adds hints to the queue, in APIs and workers. */
  queueProducer: 4,
} as const;

/** Handfuls of hints that a worker takes from the queue at a time. */
export const INTAKE_CONCURRENCY = 4;

/** Without Redis: what takes hints from the queue, one connection of which listens. */
export function countConsumerConnections(concurrency: number): number {
  return 2 + Math.min(concurrency, 8);
}

/** Without Redis: one connection listens for events, one publishes them. */
const EVENT_BUS = 2;

/** Counts the connections to the primary that one API and one worker open at most. */
export function countConnections(settings: { hasRedis: boolean; isThroughPgBouncer: boolean }): {
  api: number;
  worker: number;
} {
  // Queue and bus need sessions of their own, so they never go through PgBouncer.
  const direct = settings.hasRedis ? 0 : POOL_SIZES.queueProducer + EVENT_BUS;
  const consumer = settings.hasRedis ? 0 : countConsumerConnections(INTAKE_CONCURRENCY);
  const pools = settings.isThroughPgBouncer ? { api: 0, worker: 0 } : POOL_SIZES;
  return { api: pools.api + direct, worker: pools.worker + direct + consumer };
}
