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
const SAMPLES = 3;
/** A correction of less never turns the time back, so that messages stay in the order they came. */
const SLEW_MS = 1_000;

/**
 * `now()` is the database's time: the latest measurement, and what has passed since by the
 * monotonic clock. A measurement counts only if it differs by more than its error, half its round
 * trip. So neither a wrong clock of this machine nor a step of it shows. Before the first
 * measurement it is the machine's own time.
 */
export function createDatabaseClock(options: DatabaseClockOptions): DatabaseClock {
  const local = options.local ?? { now: () => Date.now(), monotonic: () => performance.now() };
  /** Added to the monotonic clock gives the database's. */
  let offsetMs: number | null = null;
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function ask(): Promise<{ offsetMs: number; errorMs: number }> {
    const before = local.monotonic();
    const { rows } = await options.database.pool.query<{ now: number }>(
      `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
    );
    const after = local.monotonic();
    const now = rows[0]?.now ?? Number.NaN;
    return { offsetMs: now - (before + after) / 2, errorMs: (after - before) / 2 };
  }

  async function measure(): Promise<void> {
    try {
      // The fastest answer tells most: the first may have had to wait for a connection.
      let best = await ask();
      for (let more = 1; more < SAMPLES; more += 1) {
        const sample = await ask();
        if (sample.errorMs < best.errorMs) best = sample;
      }
      const isNews = offsetMs === null || Math.abs(best.offsetMs - offsetMs) > best.errorMs;
      if (isNews) offsetMs = best.offsetMs;
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
    now() {
      const now = offsetMs === null ? local.now() : Math.round(local.monotonic() + offsetMs);
      last = now < last && last - now < SLEW_MS ? last : now;
      return last;
    },
    monotonic: () => local.monotonic(),
    start: measureOn,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
