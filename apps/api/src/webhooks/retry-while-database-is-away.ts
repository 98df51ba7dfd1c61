import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@switchboard/database';

export interface OutageRetry {
  /**
   * Runs `work` until the database takes it. Rejects with its last error when the time is up, too
   * many requests are waiting, or the process is about to end. `work` must be safe to repeat.
   */
  retry<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Nothing is retried from now on. */
  stop(): void;
}

/** A provider gives a webhook 15 s for all of its retries, and may spend them within a second. */
const RETRY_FOR_MS = 12_000;
const PAUSE_MS = 250;
/** Each holds a request of at most 64 KiB. */
const MOST_WAITING = 200;

/**
 * Bridges a short outage of the database for webhooks that the provider does not deliver again
 * later: a database that restarts refuses connections at once, faster than all retries pass.
 */
export function createOutageRetry(): OutageRetry {
  let waiting = 0;
  let isStopped = false;

  return {
    async retry(work) {
      const endsAt = performance.now() + RETRY_FOR_MS;
      for (;;) {
        try {
          return await work();
        } catch (error) {
          const mayRetry =
            !isStopped && waiting < MOST_WAITING && performance.now() + PAUSE_MS < endsAt;
          if (!mayRetry || !isDatabaseUnavailable(error)) throw error;
        }
        waiting += 1;
        await delay(PAUSE_MS);
        waiting -= 1;
      }
    },
    stop() {
      isStopped = true;
    },
  };
}
