import { setTimeout as delay } from 'node:timers/promises';
import { isBlockedByOthers } from '@switchboard/database';

/** Runs a step of at most `limit` rows. */
export type Pace = <Result>(step: (limit: number) => Promise<Result>) => Promise<Result>;

const MIN_ROWS = 20;
const MAX_ROWS = 5_000;
const TOO_LONG_MS = 200;
const SHORT_MS = 80;
const MAX_PAUSE_MS = 5_000;
const MAX_ATTEMPTS = 10;

/**
 * Keeps each step short, with fewer rows when the database is busy, and pauses after each step for as
 * long as it took, so that it uses at most half the time of one connection. A step that PostgreSQL
 * canceled because it blocked others is retried with fewer rows, after increasing pauses.
 */
export function createPace(signal: AbortSignal): Pace {
  let limit = 500;

  const pause = (ms: number): Promise<void> =>
    delay(Math.min(ms, MAX_PAUSE_MS), undefined, { signal }).catch(() => undefined);

  return async (step) => {
    for (let attempt = 1; ; attempt += 1) {
      const startedAt = performance.now();
      try {
        const result = await step(limit);
        const tookMs = performance.now() - startedAt;
        if (tookMs > TOO_LONG_MS) limit = Math.max(MIN_ROWS, Math.ceil(limit / 2));
        else if (tookMs < SHORT_MS) limit = Math.min(MAX_ROWS, limit * 2);
        await pause(tookMs);
        return result;
      } catch (error) {
        if (!isBlockedByOthers(error) || attempt === MAX_ATTEMPTS || signal.aborted) throw error;
        limit = Math.max(MIN_ROWS, Math.ceil(limit / 4));
        await pause(100 * 2 ** attempt);
      }
    }
  };
}
