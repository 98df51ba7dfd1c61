import type { Clock } from '@switchboard/core';
import type { ShortenWaits } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';

const EVERY_MS = 5_000;
/** NTP adjusts a clock in smaller steps. */
const STEP_MS = 2_000;

/**
 * Corrects the due times of messages that were computed before the database's clock was set back.
 */
export function createWatchClock(options: {
  databaseClock: Pick<Clock, 'now' | 'monotonic'>;
  shortenWaits: ShortenWaits;
  /** Corrects the leases of provider sessions in the same way. */
  shortenLeases(): Promise<void>;
  longestWaitMs: number;
  logger: Logger;
}) {
  const { databaseClock, logger } = options;
  /** The difference between the database's clock and the monotonic clock at the last check. */
  let offsetMs = Infinity;
  let nextAt = 0;

  return async function watchClock(): Promise<void> {
    const monotonic = databaseClock.monotonic();
    if (monotonic < nextAt) return;
    nextAt = monotonic + EVERY_MS;
    const measuredMs = databaseClock.now() - monotonic;
    // The clock may have been set back while no worker ran, so the first check always corrects.
    if (measuredMs < offsetMs - STEP_MS) {
      await options.shortenLeases();
      const count = await options.shortenWaits(options.longestWaitMs);
      if (count > 0) logger.warn({ count }, 'database clock was set back, corrected due times');
    }
    offsetMs = measuredMs;
  };
}
