import { isDelivered } from '@switchboard/core';
import type { SentEvent } from './send-event.ts';

export interface SendAllOptions<Event> {
  events: readonly Event[];
  /** The maximum number of attempts at the same time. */
  concurrency: number;
  /** Takes a slot for an attempt. Only with `mayWait` it waits for one. */
  takeSlot(mayWait: boolean): Promise<(() => void) | null>;
  send(event: Event): Promise<SentEvent>;
  /** Returns whether further attempts may start. */
  mayStart(): boolean;
}

/** After this many failed attempts without a success, the remaining events are not sent. */
const MAX_FAILURES = 5;

/**
 * Sends events, several at a time. Starts no further attempts once the endpoint appears to be down. The
 * result of an event that was not sent is null.
 */
export async function sendAll<Event>(
  options: SendAllOptions<Event>,
): Promise<(SentEvent | null)[]> {
  const { events, concurrency, takeSlot, send, mayStart } = options;
  const results: (SentEvent | null)[] = events.map(() => null);
  let next = 0;
  let failures = 0;
  let isWorking = false;

  const mayContinue = (): boolean =>
    next < events.length && mayStart() && (isWorking || failures < MAX_FAILURES);

  /** Only the first turn waits for slots, so that few callers wait for each. */
  async function sendInTurn(turn: number): Promise<void> {
    while (mayContinue()) {
      const free = await takeSlot(turn === 0);
      if (free === null) return;
      try {
        if (mayContinue()) await sendNext();
      } finally {
        free();
      }
    }
  }

  async function sendNext(): Promise<void> {
    const index = next;
    next += 1;
    const sent = await send(events[index] as Event);
    results[index] = sent;
    if (isDelivered(sent.outcome)) isWorking = true;
    else failures += 1;
  }

  const turns = Math.min(concurrency, events.length);
  await Promise.all(Array.from({ length: turns }, (_, turn) => sendInTurn(turn)));
  return results;
}
