import { setTimeout as delay } from 'node:timers/promises';

/** Tracks whether a store is available, so that requests do not wait for an unavailable one. */
export interface StoreWatch {
  isDown(): boolean;
  /** Reports a failed call. The store then counts as unavailable until it answers a ping. */
  reportFailure(error: unknown): void;
  close(): void;
}

const PING_INTERVAL_MS = 1_000;

export function watchStore(options: {
  /** Resolves when the store answers; rejects within a bounded time otherwise. */
  ping(): Promise<unknown>;
  onError(error: unknown): void;
}): StoreWatch {
  const closing = new AbortController();
  let isDown = false;

  async function waitForReturn(): Promise<void> {
    while (isDown && !closing.signal.aborted) {
      try {
        await delay(PING_INTERVAL_MS, undefined, { signal: closing.signal, ref: false });
        await options.ping();
        isDown = false;
      } catch {
        // Still unavailable, or closed.
      }
    }
  }

  return {
    isDown: () => isDown,
    reportFailure(error) {
      if (isDown || closing.signal.aborted) return;
      isDown = true;
      options.onError(error);
      void waitForReturn();
    },
    close: () => closing.abort(),
  };
}
