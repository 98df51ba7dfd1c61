import { isDelivered } from '@switchboard/core';
import type { SentEvent } from './send-event.ts';

export interface SendAllOptions<Event> {
  events: readonly Event[];
  /** The maximum number of attempts at the same time. */
  concurrency: number;
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
  const { events, concurrency, send, mayStart } = options;
  const results: (SentEvent | null)[] = events.map(() => null);
  let next = 0;
  let failures = 0;
  let isWorking = false;

  async function sendInTurn(): Promise<void> {
    while (next < events.length && mayStart() && (isWorking || failures < MAX_FAILURES)) {
      const index = next;
      next += 1;
      const sent = await send(events[index] as Event);
      results[index] = sent;
      if (isDelivered(sent.outcome)) isWorking = true;
      else failures += 1;
    }
  }

  const turns = Math.min(concurrency, events.length);
  await Promise.all(Array.from({ length: turns }, sendInTurn));
  return results;
}
