import type { Clock } from '@switchboard/core';
import type { ShortenWaits } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';

const EVERY_MS = 5_000;
/** NTP turns a clock back by less, little by little. */
const STEP_MS = 2_000;

/** Brings messages forward that wait for a time of the database's clock from before it was set back. */
export function createWatchClock(options: {
  databaseClock: Pick<Clock, 'now' | 'monotonic'>;
  shortenWaits: ShortenWaits;
  longestWaitMs: number;
  logger: Logger;
}) {
  const { databaseClock, logger } = options;
  /** Of the database's clock over the monotonic clock, when messages were last looked at. */
  let offsetMs = Infinity;
  let nextAt = 0;

  return async function watchClock(): Promise<void> {
    const monotonic = databaseClock.monotonic();
    if (monotonic < nextAt) return;
    nextAt = monotonic + EVERY_MS;
    const measuredMs = databaseClock.now() - monotonic;
    // At the start the clock may have been set back while no worker ran.
    if (measuredMs < offsetMs - STEP_MS) {
      const count = await options.shortenWaits(options.longestWaitMs);
      if (count > 0)
        logger.warn({ count }, 'database clock was set back, messages brought forward');
    }
    offsetMs = measuredMs;
  };
}
