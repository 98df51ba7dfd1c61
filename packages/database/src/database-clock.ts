import type { Clock } from '@switchboard/core';
import type { Database } from './database.ts';

/** The database's clock, for times that processes on several machines must agree on. */
export interface DatabaseClock extends Clock {
  /** Measures once, and from then on every 10 seconds. Never rejects. */
  start(): Promise<void>;
  stop(): void;
}

interface DatabaseClockOptions {
  database: Pick<Database, 'pool'>;
  /** Receives failed measurements; the latest result holds on. */
  onError(error: unknown): void;
  /** The process's own clocks. */
  local?: Clock;
}

const MEASURE_EVERY_MS = 10_000;
const MEASURE_AGAIN_MS = 500;
/** The error of a measurement is at most half its round trip: a slow one is worth less than none. */
const LONGEST_ROUND_TRIP_MS = 1_000;

/**
 * `now()` is the database's time: the latest measurement, and what has passed since by the
 * monotonic clock. So neither a wrong clock of this machine nor a step of it shows. Before the first
 * measurement it is the machine's own time.
 */
export function createDatabaseClock(options: DatabaseClockOptions): DatabaseClock {
  const local = options.local ?? { now: () => Date.now(), monotonic: () => performance.now() };
  /** Added to the monotonic clock gives the database's. */
  let offsetMs: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function measure(): Promise<void> {
    try {
      const before = local.monotonic();
      const { rows } = await options.database.pool.query<{ now: number }>(
        `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
      );
      const after = local.monotonic();
      const [row] = rows;
      if (row === undefined || (offsetMs !== null && after - before > LONGEST_ROUND_TRIP_MS))
        return;
      offsetMs = row.now - (before + after) / 2;
    } catch (error) {
      options.onError(error);
    }
  }

  async function measureOn(): Promise<void> {
    await measure();
    if (isStopped) return;
    const gapMs = offsetMs === null ? MEASURE_AGAIN_MS : MEASURE_EVERY_MS;
    timer = setTimeout(() => void measureOn(), gapMs);
    timer.unref();
  }

  return {
    now: () => (offsetMs === null ? local.now() : Math.round(local.monotonic() + offsetMs)),
    monotonic: () => local.monotonic(),
    start: measureOn,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
