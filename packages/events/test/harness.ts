import type { BusNotification, EventBus } from '@switchboard/core';

import { createEventBus, type EventBusOptions } from '../src/create-event-bus.ts';

/** The timeout of calls that must succeed, even on a busy machine. */
const LONG_TIMEOUT_MS = 10_000;
/** The timeout of calls that must fail. */
export const TIMEOUT_MS = 500;
/** A call that must fail takes less, even on a busy machine. Without its timeout, it would never end. */
export const IN_TIME_MS = 15_000;

let made = 0;

export function makeNotifications(count: number): BusNotification[] {
  return Array.from({ length: count }, () => {
    made += 1;
    return { kind: 'message', workspaceId: 'workspace', messageId: `message-${made}`, seq: made };
  });
}

/** Creates buses that record what they receive, and closes them at the end of the test. */
export function createHarness(
  options: Omit<EventBusOptions, 'timeoutMs' | 'onError'>,
  timeoutMs = LONG_TIMEOUT_MS,
) {
  const errors: Error[] = [];
  const opened: EventBus[] = [];
  const channelOf = (suffix: string) => `${options.channel ?? 'test'}${suffix}`;
  return {
    /** The reported background errors. */
    errors,
    channelOf,
    open(suffix = '') {
      const bus = createEventBus({
        ...options,
        channel: channelOf(suffix),
        timeoutMs,
        onError: (error) => errors.push(error),
      });
      opened.push(bus);
      const received: BusNotification[] = [];
      bus.subscribe((notification) => received.push(notification));
      const recorded = Object.assign(bus, { received, gaps: 0 });
      bus.onGap(() => {
        recorded.gaps += 1;
      });
      return recorded;
    },
    async close(): Promise<void> {
      await Promise.all(opened.map((bus) => bus.close()));
    },
  };
}
