import type { BusNotice } from '@switchboard/core';
import { createEventBus } from '@switchboard/events';
import { expect, vi } from 'vitest';

export interface BusListener {
  notices: BusNotice[];
  /** Resolves when such a notice has come. */
  waitFor(notice: BusNotice): Promise<void>;
  close(): Promise<void>;
}

/** Hears what the processes on a database tell each other. */
export async function listenToBus(databaseUrl: string): Promise<BusListener> {
  const errors: Error[] = [];
  const bus = createEventBus({
    redisUrl: null,
    databaseUrl,
    timeoutMs: 5_000,
    onError: (error) => errors.push(error),
  });
  const notices: BusNotice[] = [];
  bus.subscribe((notice) => notices.push(notice));
  await vi.waitFor(() => bus.ping(), 10_000);
  return {
    notices,
    waitFor: (notice) =>
      vi.waitFor(() => expect(notices).toContainEqual(notice), { timeout: 5_000 }),
    close: () => bus.close(),
  };
}
