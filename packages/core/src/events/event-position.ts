// The events of a workspace are numbered in slots. Each process that writes events has a slot of its own,
// and numbers the events of each workspace without a gap there. So no two processes wait for each
// other's commits, and a reader's place in the events is one number for each slot.
//
// An event's number shows its slot: in slot 0 the numbers are 1, 2, 3 …, and those of slot n follow
// -n * 2^48.

const SLOT_SIZE = 2 ** 48;

/** The highest slot: with it, all event numbers are safe integers. */
export const MAX_EVENT_SLOT = 31;

/** Returns the number before the first event of a slot. */
export function startOfSlot(slot: number): number {
  return slot === 0 ? 0 : -slot * SLOT_SIZE;
}

/** Returns the slot of an event number, or of a result of `startOfSlot`. */
export function slotOf(seq: number): number {
  return seq >= 0 ? 0 : Math.ceil(-seq / SLOT_SIZE);
}

/**
 * A place in a workspace's events: the number of the last event of each slot. A slot that is missing
 * has no event yet.
 */
export type EventPosition = ReadonlyMap<number, number>;

/** The position before the first event. */
export const START_OF_EVENTS: EventPosition = new Map();

/** Returns the last event number in a slot. */
export function lastIn(position: EventPosition, slot: number): number {
  return position.get(slot) ?? startOfSlot(slot);
}

/** Creates a position from the last event number of each slot. */
export function positionOf(seqs: Iterable<number>): EventPosition {
  const position = new Map<number, number>();
  for (const seq of seqs) {
    const slot = slotOf(seq);
    if (seq !== startOfSlot(slot)) position.set(slot, seq);
  }
  return position;
}

/** Returns whether the event is at or before the position. */
export function covers(position: EventPosition, seq: number): boolean {
  return seq <= lastIn(position, slotOf(seq));
}

/** Returns whether all events at or before `other` are at or before the position. */
export function coversAll(position: EventPosition, other: EventPosition): boolean {
  for (const seq of other.values()) if (!covers(position, seq)) return false;
  return true;
}

/** Returns the position that covers everything that either of the two covers. */
export function unite(a: EventPosition, b: EventPosition): EventPosition {
  if (coversAll(a, b)) return a;
  const united = new Map(a);
  for (const [slot, seq] of b) if (!covers(a, seq)) united.set(slot, seq);
  return united;
}

/** Returns the position that covers the event and everything that `position` covers. */
export function advance(position: EventPosition, seq: number): EventPosition {
  return covers(position, seq) ? position : new Map(position).set(slotOf(seq), seq);
}

/** Returns the number of events after `from` up to `to`. */
export function countBetween(from: EventPosition, to: EventPosition): number {
  let count = 0;
  for (const [slot, seq] of to) count += Math.max(0, seq - lastIn(from, slot));
  return count;
}
