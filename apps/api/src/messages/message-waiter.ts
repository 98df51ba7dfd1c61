import type { BusNotification, EventBus } from '@switchboard/core';

/** Lets a request wait for the next event of its message. */
export interface MessageWaiter {
  /** Resolves at the message's next event, or after `timeoutMs`. */
  waitForEvent(messageId: string, timeoutMs: number): Promise<void>;
  /** Ends all waits and refuses new ones, because the process is about to exit. */
  endWaiting(): void;
  hasEnded(): boolean;
}

/** Creates a waiter. Notifications may be lost, so callers must also poll the row. */
export function createMessageWaiter(bus: Pick<EventBus, 'subscribe'>): MessageWaiter {
  const waiting = new Map<string, Set<() => void>>();
  let ended = false;

  const unsubscribe = bus.subscribe((notification: BusNotification) => {
    if (notification.kind !== 'message') return;
    for (const wake of waiting.get(notification.messageId) ?? []) wake();
  });

  return {
    waitForEvent(messageId, timeoutMs) {
      return new Promise((resolve) => {
        const wakers = waiting.get(messageId) ?? new Set();
        waiting.set(messageId, wakers);
        const wake = (): void => {
          clearTimeout(timer);
          wakers.delete(wake);
          if (wakers.size === 0 && waiting.get(messageId) === wakers) waiting.delete(messageId);
          resolve();
        };
        const timer = setTimeout(wake, timeoutMs);
        wakers.add(wake);
      });
    },
    endWaiting() {
      ended = true;
      unsubscribe();
      for (const wakers of waiting.values()) for (const wake of wakers) wake();
    },
    hasEnded: () => ended,
  };
}
