import type { BusNotification } from '@switchboard/core';
import { createEventBus } from '@switchboard/events';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, vi } from 'vitest';

export interface BusListener {
  notifications: BusNotification[];
  /** Resolves when this notification has been received. */
  waitFor(notification: BusNotification): Promise<void>;
  close(): Promise<void>;
}

/** Records the notifications between the processes on a database. */
export async function listenToBus(databaseUrl: string): Promise<BusListener> {
  const errors: Error[] = [];
  const bus = createEventBus({
    redisUrl: null,
    databaseUrl,
    timeoutMs: 20_000,
    onError: (error) => errors.push(error),
  });
  const notifications: BusNotification[] = [];
  bus.subscribe((notification) => notifications.push(notification));
  await vi.waitFor(() => bus.ping(), EVENTUALLY);
  return {
    notifications,
    waitFor: (notification) =>
      vi.waitFor(() => expect(notifications).toContainEqual(notification), EVENTUALLY),
    close: () => bus.close(),
  };
}
