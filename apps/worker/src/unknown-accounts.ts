import type { Clock } from '@switchboard/core';

/** The window of the alert that compares this count with the accounts in use. */
const WINDOW_MS = 600_000;

/** The provider accounts of this process whose calls recently had an unknown outcome. */
export interface UnknownAccounts {
  record(workspaceId: string): void;
  /** Counts the accounts of the last ten minutes. */
  count(): number;
}

export function createUnknownAccounts(clock: Pick<Clock, 'monotonic'>): UnknownAccounts {
  const latest = new Map<string, number>();

  function forgetOld(): void {
    const oldest = clock.monotonic() - WINDOW_MS;
    for (const [workspaceId, at] of latest) {
      if (at >= oldest) return;
      latest.delete(workspaceId);
    }
  }

  return {
    record(workspaceId) {
      forgetOld();
      // Keeps the entries of the map ordered by time.
      latest.delete(workspaceId);
      latest.set(workspaceId, clock.monotonic());
    },
    count() {
      forgetOld();
      return latest.size;
    },
  };
}
