import { type EventPosition, lastSeqsOf, toPosition } from './event-position.ts';
import { slotOf, startOfSlot } from './event-slot.ts';

/** An event that clients receive. */
export interface OrderedEvent {
  seq: number;
  /** The message's visible event before this one; null if there is none or it is long past. */
  previousSeq: number | null;
}

/** The next events of one slot, in order. */
export interface SlotPage<Event extends OrderedEvent> {
  slot: number;
  /** The visible events among those that were read. */
  events: readonly Event[];
  /** The last number that was read; there may be more. */
  through: number;
}

/**
 * Merges the pages of several slots, read in one snapshot after `after`, into one order in which
 * the events of each message follow each other. Events that must wait for an event beyond a page
 * are left out, and are read again from the returned position.
 *
 * A snapshot that contains an event also contains the event before it, so one event can always go
 * first: the merge always advances.
 */
export function mergeEvents<Event extends OrderedEvent>(
  after: EventPosition,
  pages: readonly SlotPage<Event>[],
): { events: Event[]; position: EventPosition } {
  const position = new Map(lastSeqsOf(after));
  const last = (slot: number): number => position.get(slot) ?? startOfSlot(slot);
  const merged: Event[] = [];
  const rests = pages.map((page) => ({ ...page, next: 0 }));
  let waiting = rests;
  let hasAdvanced = true;
  while (hasAdvanced && waiting.length > 0) {
    hasAdvanced = false;
    for (const rest of waiting) {
      for (;;) {
        const event = rest.events[rest.next];
        if (event === undefined) {
          position.set(rest.slot, Math.max(rest.through, last(rest.slot)));
          hasAdvanced = true;
          break;
        }
        const { previousSeq } = event;
        if (previousSeq !== null && previousSeq > last(slotOf(previousSeq))) break;
        merged.push(event);
        position.set(rest.slot, event.seq);
        rest.next += 1;
        hasAdvanced = true;
      }
    }
    waiting = waiting.filter(({ events, next }) => next < events.length);
  }
  return { events: merged, position: toPosition(position) };
}
