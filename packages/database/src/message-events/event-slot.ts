import type pg from 'pg';

const slots = new WeakMap<pg.Pool, number>();

/**
 * Returns the slot in which the statements of this pool number events and count messages. It is 0
 * until `setEventSlot` has been called.
 */
export function eventSlotOf(pool: pg.Pool): number {
  return slots.get(pool) ?? 0;
}

/** Changes the slot of the statements from now on. */
export function setEventSlot(pool: pg.Pool, slot: number): void {
  slots.set(pool, slot);
}
