import type { Clock } from '@switchboard/core';
import { type Window, type WindowStore, admittedByGroup } from '../window-store.ts';

/** Counts in the windows of this process only, by its monotonic clock. */
export function createCountInMemory(clock: Pick<Clock, 'monotonic'>): WindowStore {
  const now = () => Math.floor(clock.monotonic());
  const windows = new Map<string, { counted: number; endsAt: number }>();
  let nextCleanUpAt = 0;

  function count(name: string, requests: number, windowMs: number): Window {
    const at = now();
    let window = windows.get(name);
    if (window === undefined || window.endsAt <= at) {
      window = { counted: 0, endsAt: at + windowMs };
      windows.set(name, window);
    }
    window.counted += requests;
    return { counted: window.counted, msLeft: window.endsAt - at };
  }

  function deleteEnded(windowMs: number): void {
    const at = now();
    if (at < nextCleanUpAt) return;
    nextCleanUpAt = at + windowMs;
    for (const [name, { endsAt }] of windows) if (endsAt <= at) windows.delete(name);
  }

  return {
    async count(clients, { windowMs, limit }) {
      deleteEnded(windowMs);
      const counted = new Map<string, Window>();
      for (const { client, requests } of clients) {
        counted.set(client, count(client, requests, windowMs));
      }
      for (const [group, requests] of admittedByGroup(clients, counted, limit)) {
        counted.set(group, count(group, requests, windowMs));
      }
      return counted;
    },

    async removeCount(client) {
      const window = windows.get(client);
      if (window !== undefined && window.counted > 0) window.counted -= 1;
    },
  };
}
