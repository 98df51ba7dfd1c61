import { type EventPosition, covers, lastIn } from './event-position.ts';
import { slotOf } from './event-slot.ts';
import { type OrderedEvent, mergeEvents } from './merge-events.ts';

/** Events of a workspace that its reader holds because their numbers do not follow its position yet. */
export interface HeldEvents<Event extends OrderedEvent> {
  /** Holds a committed event that clients receive. Drops all if there are too many: the reader then reads them. */
  add(event: Event): void;
  /**
   * Removes and returns the events that follow `after` without a gap in their slots, and of each message in
   * order, with the position after them.
   */
  takeAfter(after: EventPosition): { events: Event[]; position: EventPosition };
  clear(): void;
}

export function createHeldEvents<Event extends OrderedEvent>(limit: number): HeldEvents<Event> {
  const held = new Map<number, Event>();

  function* following(slot: number, after: EventPosition): Generator<Event> {
    for (let seq = lastIn(after, slot) + 1; ; seq += 1) {
      const event = held.get(seq);
      if (event === undefined) return;
      yield event;
    }
  }

  return {
    add(event) {
      if (held.size >= limit) held.clear();
      held.set(event.seq, event);
    },
    takeAfter(after) {
      if (held.size === 0) return { events: [], position: after };
      const slots = new Set([...held.keys()].map(slotOf));
      const pages = [...slots].flatMap((slot) => {
        const events = [...following(slot, after)];
        const last = events.at(-1);
        return last === undefined ? [] : [{ slot, events, through: last.seq }];
      });
      const taken = mergeEvents(after, pages);
      for (const seq of held.keys()) if (covers(taken.position, seq)) held.delete(seq);
      return taken;
    },
    clear: () => held.clear(),
  };
}
