import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@switchboard/database';

export interface OutageRetry {
  /**
   * Retries `work` while the database is unavailable. Rejects with its last error after the
   * timeout, if too many requests wait, or when the process shuts down. `work` must be safe to
   * repeat.
   */
  retry<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Stops all retries. */
  stop(): void;
}

/** A provider retries a webhook for at most 15 s, and may use all retries within a second. */
const RETRY_FOR_MS = 12_000;
const PAUSE_MS = 250;
/** Each waiting request has at most 64 KiB. */
const WAITING_MAX = 200;

/**
 * Bridges a short outage of the database for webhooks that the provider does not deliver again
 * later: a restarting database refuses connections immediately, so the provider would use up all
 * its retries.
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
            !isStopped && waiting < WAITING_MAX && performance.now() + PAUSE_MS < endsAt;
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
