import type { Clock } from '@switchboard/core';

/**
 * Says whether a request may still be written under a lease. To be made before the claim is sent:
 * so the lease can only end later than it does here. Compares spans of this machine's clocks and
 * never their readings with the database's. The monotonic clock stands still while the machine
 * sleeps and the wall clock can be set back, so whichever has gone further counts.
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
