import fc from 'fast-check';
import { expect, test } from 'vitest';
import { START_OF_EVENTS, covers } from './event-position.ts';
import { slotOf, startOfSlot } from './event-slot.ts';
import { createHeldEvents } from './hold-events.ts';
import { type OrderedEvent, mergeEvents } from './merge-events.ts';

interface Event extends OrderedEvent {
  messageId: number;
  isVisible: boolean;
  /** How many events are committed before the reader holds it; null if it never does. */
  heldAt: number | null;
}

/** Commits events of random messages in random slots, of which the reader is given some, later and in any order. */
const logs = fc
  .array(
    fc.record({
      slot: fc.integer({ min: 0, max: 2 }),
      messageId: fc.integer({ min: 0, max: 4 }),
      isVisible: fc.boolean(),
      heldAfter: fc.option(fc.nat(5)),
    }),
    { maxLength: 40 },
  )
  .map((steps) => {
    const counts = new Map<number, number>();
    const lastVisible = new Map<number, number>();
    return steps.map(({ slot, messageId, isVisible, heldAfter }, index): Event => {
      const count = (counts.get(slot) ?? 0) + 1;
      counts.set(slot, count);
      const seq = startOfSlot(slot) + count;
      const previousSeq = isVisible ? (lastVisible.get(messageId) ?? null) : null;
      if (isVisible) lastVisible.set(messageId, seq);
      const heldAt = heldAfter === null || !isVisible ? null : index + 1 + heldAfter;
      return { seq, previousSeq, messageId, isVisible, heldAt };
    });
  });

test('a reader that is given some events and reads others receives every visible event once, and the events of each message in order', () => {
  fc.assert(
    fc.property(
      logs,
      fc.array(fc.boolean(), { minLength: 50, maxLength: 50 }),
      fc.integer({ min: 1, max: 8 }),
      (log, readsAt, limit) => {
        const held = createHeldEvents<Event>(limit);
        let position = START_OF_EVENTS;
        const received: Event[] = [];
        const take = () => {
          const taken = held.takeAfter(position);
          received.push(...taken.events);
          position = taken.position;
        };
        const read = (committed: readonly Event[]) => {
          const slots = [...new Set(committed.map(({ seq }) => slotOf(seq)))];
          const pages = slots.flatMap((slot) => {
            const rows = committed.filter(
              ({ seq }) => slotOf(seq) === slot && !covers(position, seq),
            );
            const last = rows.at(-1);
            const events = rows.filter(({ isVisible }) => isVisible);
            return last === undefined ? [] : [{ slot, events, through: last.seq }];
          });
          const merged = mergeEvents(position, pages);
          received.push(...merged.events);
          position = merged.position;
        };
        for (let committed = 1; committed <= log.length + 6; committed += 1) {
          for (const event of log) {
            if (event.heldAt === committed && !covers(position, event.seq)) held.add(event);
          }
          take();
          if (readsAt[committed] === true) read(log.slice(0, committed));
        }
        read(log);
        const visible = log.filter(({ isVisible }) => isVisible);
        expect(received.length).toBe(visible.length);
        expect(new Set(received)).toEqual(new Set(visible));
        for (const messageId of new Set(visible.map((event) => event.messageId))) {
          const inOrder = visible.filter((event) => event.messageId === messageId);
          expect(received.filter((event) => event.messageId === messageId)).toEqual(inOrder);
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

test('events that follow each other are taken without a read, and those after a gap stay held', () => {
  const held = createHeldEvents<OrderedEvent>(10);
  for (const seq of [3, 1, 5, 2]) held.add({ seq, previousSeq: null });
  const { events, position } = held.takeAfter(START_OF_EVENTS);
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect([3, 4, 5].map((seq) => covers(position, seq))).toEqual([true, false, false]);
  held.add({ seq: 4, previousSeq: null });
  expect(held.takeAfter(position).events.map(({ seq }) => seq)).toEqual([4, 5]);
});
