import type { BusNotice, EventBus } from '@switchboard/core';

import { createEventBus, type EventBusOptions } from '../src/create-event-bus.ts';

/** Where an answer is expected, on a busy machine too. */
const PATIENT_MS = 5_000;
/** Where none is. */
export const TIMEOUT_MS = 500;

let made = 0;

export function makeNotices(count: number): BusNotice[] {
  return Array.from({ length: count }, () => {
    made += 1;
    return { kind: 'message', workspaceId: 'workspace', messageId: `message-${made}`, seq: made };
  });
}

/** Makes buses that write down what they receive, and closes them at the end of the test. */
export function createHarness(
  options: Omit<EventBusOptions, 'timeoutMs' | 'onError'>,
  timeoutMs = PATIENT_MS,
) {
  const errors: Error[] = [];
  const opened: EventBus[] = [];
  const channelOf = (suffix: string) => `${options.channel ?? 'test'}${suffix}`;
  return {
    /** What was reported in the background. */
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
      const received: BusNotice[] = [];
      bus.subscribe((notice) => received.push(notice));
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
