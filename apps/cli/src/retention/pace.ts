import { setTimeout as delay } from 'node:timers/promises';
import { isGivingWay } from '@switchboard/database';

/** Runs a step of at most `limit` rows. */
export type Pace = <Result>(step: (limit: number) => Promise<Result>) => Promise<Result>;

const FEWEST = 20;
const MOST = 5_000;
const TOO_LONG_MS = 200;
const SHORT_MS = 80;
const LONGEST_REST_MS = 5_000;
const MOST_TRIES = 10;

/**
 * Keeps each step short, by fewer or more rows as the database is busy or not, and rests after each
 * for as long as it took: so half of what one connection can do is left to others at any time. A
 * step that gave way is tried again with fewer rows, after longer and longer rests.
 */
export function createPace(signal: AbortSignal): Pace {
  let limit = 500;

  const rest = (ms: number): Promise<void> =>
    delay(Math.min(ms, LONGEST_REST_MS), undefined, { signal }).catch(() => undefined);

  return async (step) => {
    for (let attempt = 1; ; attempt += 1) {
      const startedAt = performance.now();
      try {
        const result = await step(limit);
        const tookMs = performance.now() - startedAt;
        if (tookMs > TOO_LONG_MS) limit = Math.max(FEWEST, Math.ceil(limit / 2));
        else if (tookMs < SHORT_MS) limit = Math.min(MOST, limit * 2);
        await rest(tookMs);
        return result;
      } catch (error) {
        if (!isGivingWay(error) || attempt === MOST_TRIES || signal.aborted) throw error;
        limit = Math.max(FEWEST, Math.ceil(limit / 4));
        await rest(100 * 2 ** attempt);
      }
    }
  };
}
