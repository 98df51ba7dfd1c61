import { setTimeout as delay } from 'node:timers/promises';

/** Tracks whether a store is available, so that requests do not wait for an unavailable one. */
export interface StoreWatch {
  isUnavailable(): boolean;
  /** Reports a failed call. The store then counts as unavailable until it responds to a ping. */
  reportFailure(error: unknown): void;
  close(): void;
}

const PING_INTERVAL_MS = 1_000;

export function watchStore(options: {
  /** Resolves when the store responds; rejects within a bounded time otherwise. */
  ping(): Promise<unknown>;
  onError(error: unknown): void;
}): StoreWatch {
  const closing = new AbortController();
  let unavailable = false;

  async function pingUntilAvailable(): Promise<void> {
    while (unavailable && !closing.signal.aborted) {
      try {
        await delay(PING_INTERVAL_MS, undefined, { signal: closing.signal, ref: false });
        await options.ping();
        unavailable = false;
      } catch {
        // Still unavailable, or closed.
      }
    }
  }

  return {
    isUnavailable: () => unavailable,
    reportFailure(error) {
      if (unavailable || closing.signal.aborted) return;
      unavailable = true;
      options.onError(error);
      void pingUntilAvailable();
    },
    close: () => closing.abort(),
  };
}
