import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type EventPosition,
  START_OF_EVENTS,
  countBetween,
  covers,
  coversAll,
  positionOf,
  unite,
} from './event-position.ts';
import { MAX_EVENT_SLOT, slotOf, startOfSlot } from './event-slot.ts';
import { type OrderedEvent, mergeEvents } from './merge-events.ts';

interface Event extends OrderedEvent {
  messageId: number;
  /** Its place in the order of commits. */
  committed: number;
  isVisible: boolean;
}

/** Commits events of random messages in random slots; each names the visible event before it. */
const logs = fc
  .array(
    fc.record({
      slot: fc.integer({ min: 0, max: 3 }),
      messageId: fc.integer({ min: 0, max: 4 }),
      isVisible: fc.boolean(),
    }),
    { maxLength: 60 },
  )
  .map((steps) => {
    const counts = new Map<number, number>();
    const lastVisible = new Map<number, number>();
    return steps.map(({ slot, messageId, isVisible }, committed): Event => {
      const count = (counts.get(slot) ?? 0) + 1;
      counts.set(slot, count);
      const seq = startOfSlot(slot) + count;
      const previousSeq = isVisible ? (lastVisible.get(messageId) ?? null) : null;
      if (isVisible) lastVisible.set(messageId, seq);
      return { seq, previousSeq, messageId, committed, isVisible };
    });
  });

/** Reads like the database: from each slot, the next events that are committed by then. */
function read(log: readonly Event[], after: EventPosition, until: number, limit: number) {
  const slots = [...new Set(log.map(({ seq }) => slotOf(seq)))];
  return slots.flatMap((slot) => {
    const rows = log
      .slice(0, until)
      .filter(({ seq }) => slotOf(seq) === slot && !covers(after, seq))
      .slice(0, limit);
    const last = rows.at(-1);
    if (last === undefined) return [];
    return [{ slot, events: rows.filter(({ isVisible }) => isVisible), through: last.seq }];
  });
}

test('a reader that reads in pages receives every visible event once, and the events of each message in order', () => {
  fc.assert(
    fc.property(
      logs,
      fc.array(fc.nat(60), { maxLength: 5 }),
      fc.integer({ min: 1, max: 7 }),
      (log, pauses, limit) => {
        let position = START_OF_EVENTS;
        const received: Event[] = [];
        const snapshots = [...pauses.toSorted((a, b) => a - b), log.length];
        for (const until of snapshots) {
          for (;;) {
            const pages = read(log, position, until, limit);
            if (pages.length === 0) break;
            const merged = mergeEvents(position, pages);
            expect(countBetween(position, merged.position)).toBeGreaterThan(0);
            received.push(...merged.events);
            position = merged.position;
          }
        }
        const visible = log.filter(({ isVisible }) => isVisible);
        expect(new Set(received)).toEqual(new Set(visible));
        expect(received.length).toBe(visible.length);
        for (const messageId of new Set(visible.map((event) => event.messageId))) {
          const ofMessage = received.filter((event) => event.messageId === messageId);
          expect(ofMessage).toEqual(ofMessage.toSorted((a, b) => a.committed - b.committed));
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('a reader that resumes after any event receives exactly the rest', () => {
  fc.assert(
    fc.property(logs, fc.integer({ min: 1, max: 7 }), fc.nat(), (log, limit, at) => {
      const readAll = (from: EventPosition, stopAfter = Infinity) => {
        let position = from;
        const received: Event[] = [];
        for (;;) {
          const pages = read(log, position, log.length, limit);
          if (pages.length === 0) return { received, position };
          const start = position;
          const merged = mergeEvents(start, pages);
          for (const event of merged.events) {
            // This is a client's cursor after the frame.
            position = unite(position, positionOf([event.seq]));
            received.push(event);
            if (received.length === stopAfter) return { received, position };
          }
          position = merged.position;
        }
      };
      const whole = readAll(START_OF_EVENTS).received;
      fc.pre(whole.length > 0);
      const first = readAll(START_OF_EVENTS, 1 + (at % whole.length));
      const rest = readAll(first.position);
      const both = [...first.received, ...rest.received];
      expect(both.length).toBe(whole.length);
      expect(new Set(both)).toEqual(new Set(whole));
    }),
    { numRuns: 500 },
  );
});

test('an event number shows its slot, and all numbers of a slot are safe integers in order', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: MAX_EVENT_SLOT }),
      fc.integer({ min: 1, max: 2 ** 48 - 1 }),
      (slot, count) => {
        const seq = startOfSlot(slot) + count;
        expect(Number.isSafeInteger(seq)).toBe(true);
        expect(slotOf(seq)).toBe(slot);
        expect(slotOf(startOfSlot(slot))).toBe(slot);
        expect(seq - startOfSlot(slot)).toBe(count);
      },
    ),
  );
});

test('merged positions cover exactly what either of them covers', () => {
  const positions = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.nat(5)), { maxLength: 4 })
    .map((places) => positionOf(places.map(([slot, count]) => startOfSlot(slot) + count)));
  const seqs = fc
    .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 6 }))
    .map(([slot, count]) => startOfSlot(slot) + count);
  fc.assert(
    fc.property(positions, positions, seqs, (a, b, seq) => {
      expect(covers(unite(a, b), seq)).toBe(covers(a, seq) || covers(b, seq));
      expect(coversAll(unite(a, b), a)).toBe(true);
      expect(coversAll(unite(a, b), b)).toBe(true);
    }),
  );
});
