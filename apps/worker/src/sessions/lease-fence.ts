import type { Clock } from '@switchboard/core';

/** A time on the clocks of this machine. */
interface Moment {
  monotonic: number;
  wall: number;
}

/**
 * The part of a lease that its holder uses. During the rest, the holder waits for responses and
 * closes the session.
 */
const USED_PART = 0.7;

/** The end of a lease on its holder's clocks, which is before the end on the database's clock. */
export interface LeaseFence {
  /** Returns whether the holder may send and store in the session. */
  isHeld(): boolean;
  /** Returns how long `isHeld` remains true, in milliseconds. */
  remainingMs(): number;
  /**
   * Call after a statement has renewed the lease, with the moment before the statement, so that the real
   * lease can only end later.
   */
  renew(statementBegan: Moment): void;
}

/**
 * Creates the fence of a lease that a statement has just taken. Durations are measured on this
 * machine's clocks. The monotonic clock stops while the machine sleeps, and the wall clock can be
 * set back, so the larger duration counts.
 */
export function createLeaseFence(
  clock: Clock,
  leaseMs: number,
  statementBegan: Moment,
): LeaseFence {
  let since = statementBegan;
  const remainingMs = (): number =>
    leaseMs * USED_PART - Math.max(clock.monotonic() - since.monotonic, clock.now() - since.wall);

  return {
    isHeld: () => remainingMs() > 0,
    remainingMs,
    renew(began) {
      since = began;
    },
  };
}

export function readMoment(clock: Clock): Moment {
  return { monotonic: clock.monotonic(), wall: clock.now() };
}
