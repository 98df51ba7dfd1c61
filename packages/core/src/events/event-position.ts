import { MAX_EVENT_SLOT, slotOf, startOfSlot } from './event-slot.ts';

declare const OPAQUE: unique symbol;

/** A place in a workspace's events. Only this folder knows what it consists of. */
export interface EventPosition {
  readonly [OPAQUE]: true;
}

/** The number of the last event of each slot. A slot that is missing has no event yet. */
type LastSeqs = ReadonlyMap<number, number>;

export const lastSeqsOf = (position: EventPosition): LastSeqs => position as unknown as LastSeqs;
export const toPosition = (lastSeqs: LastSeqs): EventPosition =>
  lastSeqs as unknown as EventPosition;

/** The position before the first event. */
export const START_OF_EVENTS: EventPosition = toPosition(new Map());

/** Returns the last event number in a slot. */
export function lastIn(position: EventPosition, slot: number): number {
  return lastSeqsOf(position).get(slot) ?? startOfSlot(slot);
}

/** Creates a position from the numbers that `toSeqs` returned, or from the last event number of each slot. */
export function positionOf(seqs: Iterable<number>): EventPosition {
  const lastSeqs = new Map<number, number>();
  for (const seq of seqs) {
    const slot = slotOf(seq);
    if (seq !== startOfSlot(slot)) lastSeqs.set(slot, seq);
  }
  return toPosition(lastSeqs);
}

/** Returns the position as event numbers, for storage. Equal positions have equal numbers. */
export function toSeqs(position: EventPosition): number[] {
  return [...lastSeqsOf(position).values()].toSorted((a, b) => b - a);
}

/** Returns whether the event is at or before the position. */
export function covers(position: EventPosition, seq: number): boolean {
  return seq <= lastIn(position, slotOf(seq));
}

/** Returns whether all events at or before `other` are at or before the position. */
export function coversAll(position: EventPosition, other: EventPosition): boolean {
  for (const seq of lastSeqsOf(other).values()) if (!covers(position, seq)) return false;
  return true;
}

/** Returns the position that covers everything that either of the two covers. */
export function unite(a: EventPosition, b: EventPosition): EventPosition {
  if (coversAll(a, b)) return a;
  const united = new Map(lastSeqsOf(a));
  for (const [slot, seq] of lastSeqsOf(b)) if (!covers(a, seq)) united.set(slot, seq);
  return toPosition(united);
}

/** Returns the position that covers the event and everything that `position` covers. */
export function advance(position: EventPosition, seq: number): EventPosition {
  if (covers(position, seq)) return position;
  return toPosition(new Map(lastSeqsOf(position)).set(slotOf(seq), seq));
}

/** Returns the number of events after `from` up to `to`. */
export function countBetween(from: EventPosition, to: EventPosition): number {
  let count = 0;
  for (const [slot, seq] of lastSeqsOf(to)) count += Math.max(0, seq - lastIn(from, slot));
  return count;
}

/** A slot has one byte, and the number of its events, below 2^48, has up to seven. */
export const MAX_POSITION_BYTES = (MAX_EVENT_SLOT + 1) * 8;

/**
 * Writes a position to `bytes` and returns the end. For each slot, in order, it writes the slot as one byte and the number of its
 * events as a base-128 integer, low digits first.
 */
export function writePosition(position: EventPosition, bytes: Uint8Array, start: number): number {
  let end = start;
  for (const seq of toSeqs(position)) {
    const slot = slotOf(seq);
    let count = seq - startOfSlot(slot);
    bytes[end++] = slot;
    for (; count >= 128; count = Math.floor(count / 128)) bytes[end++] = 128 + (count % 128);
    bytes[end++] = count;
  }
  return end;
}

/** Reads the position that `writePosition` has written, up to the end of `bytes`; null if it has not. */
export function readPosition(bytes: Uint8Array, start: number): EventPosition | null {
  const seqs: number[] = [];
  for (let at = start; at < bytes.length;) {
    const slot = bytes[at++] ?? 0;
    let count = 0;
    let digit: number;
    let unit = 1;
    do {
      digit = bytes[at++] ?? 0;
      count += (digit % 128) * unit;
      unit *= 128;
    } while (digit >= 128 && count <= Number.MAX_SAFE_INTEGER);
    if (slot > MAX_EVENT_SLOT || count >= 2 ** 48) return null;
    seqs.push(startOfSlot(slot) + count);
  }
  return positionOf(seqs);
}
