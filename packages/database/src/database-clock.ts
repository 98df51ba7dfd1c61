import type { Clock } from '@switchboard/core';
import type { Database } from './database.ts';
import { DatabaseUnavailableError } from './sql-error.ts';

/** The database's clock, for times that processes on several machines must agree on. */
export interface DatabaseClock extends Clock {
  /** @throws DatabaseUnavailableError before the first measurement */
  now(): number;
  /** Measures once, and then every 10 seconds. Never rejects. */
  start(): Promise<void>;
  stop(): void;
}

interface DatabaseClockOptions {
  database: Pick<Database, 'pool'>;
  /** Called with failed measurements. The latest result stays valid. */
  onError(error: unknown): void;
  /** The process's own monotonic clock. */
  local?: Pick<Clock, 'monotonic'>;
}

const MEASURE_EVERY_MS = 10_000;
const MEASURE_AGAIN_MS = 500;
const SAMPLES = 3;
/** A less exact measurement is repeated soon: the database or this process was busy or stopped. */
const MAX_ERROR_MS = 250;
/**
 * A smaller correction never sets the time back, so that messages stay in the order of their arrival.
 */
const SLEW_MS = 1_000;

/**
 * Creates a clock whose `now()` is the time of the database: the latest measurement plus the time
 * since then on the monotonic clock. A measurement is used only if it differs by more than its
 * error, which is half its round trip. So neither a wrong clock on this machine nor a step of that
 * clock has an effect.
 */
export function createDatabaseClock(options: DatabaseClockOptions): DatabaseClock {
  const local = options.local ?? { monotonic: () => performance.now() };
  /** The difference between the database's clock and the monotonic clock. */
  let offsetMs: number | null = null;
  let isExact = false;
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function takeSample(): Promise<{ offsetMs: number; errorMs: number }> {
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
      // The fastest sample is the most exact: the first may have waited for a connection.
      let best = await takeSample();
      for (let more = 1; more < SAMPLES; more += 1) {
        const sample = await takeSample();
        if (sample.errorMs < best.errorMs) best = sample;
      }
      isExact = best.errorMs <= MAX_ERROR_MS;
      const isDifferent = offsetMs === null || Math.abs(best.offsetMs - offsetMs) > best.errorMs;
      if (isDifferent) offsetMs = best.offsetMs;
    } catch (error) {
      options.onError(error);
    }
  }

  async function keepMeasuring(): Promise<void> {
    await measure();
    if (isStopped) return;
    const gapMs = isExact ? MEASURE_EVERY_MS : MEASURE_AGAIN_MS;
    timer = setTimeout(() => void keepMeasuring(), gapMs);
    timer.unref();
  }

  return {
    now() {
      if (offsetMs === null) {
        throw new DatabaseUnavailableError('the clock of the database has not been measured');
      }
      const now = Math.round(local.monotonic() + offsetMs);
      last = now < last && last - now < SLEW_MS ? last : now;
      return last;
    },
    monotonic: () => local.monotonic(),
    start: keepMeasuring,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
