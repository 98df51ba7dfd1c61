import type { Clock } from '@switchboard/core';

/**
 * Creates a function that checks whether a request may still be written under a lease. Create it
 * before the claim is sent, so that the real lease can only end later. The function compares
 * durations on this machine's clocks, and never compares their times with the database's clock. The
 * monotonic clock stops while the machine sleeps, and the wall clock can be set back, so the larger
 * duration counts.
 */
export function createCallFence(clock: Clock, times: { leaseMs: number; callTimeoutMs: number }) {
  const monotonic = clock.monotonic();
  const wall = clock.now();
  const allowedMs = times.leaseMs - times.callTimeoutMs;

  return function mayWrite(): boolean {
    const elapsedMs = Math.max(clock.monotonic() - monotonic, clock.now() - wall);
    return elapsedMs <= allowedMs;
  };
}
