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
