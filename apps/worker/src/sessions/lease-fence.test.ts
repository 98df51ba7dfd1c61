import { expect, test } from 'vitest';
import { createLeaseFence, readMoment } from './lease-fence.ts';

test.each([
  ['is held for seven tenths of its duration', 6_999, 6_999, true],
  ['is given up before its end, so that the session is closed by then', 7_001, 7_001, false],
  ['is not held after a sleep, which stops the monotonic clock', 10, 3_600_000, false],
  ['is held although the wall clock was set back', 10, -300_000, true],
])('a lease of ten seconds %s', (_what, monotonicMs, wallMs, isHeld) => {
  let monotonic = 5_000;
  let wall = 1_700_000_000_000;
  const clock = { now: () => wall, monotonic: () => monotonic };
  const fence = createLeaseFence(clock, 10_000, readMoment(clock));
  monotonic += monotonicMs;
  wall += wallMs;
  expect(fence.isHeld()).toBe(isHeld);
  fence.renew(readMoment(clock));
  expect(fence.isHeld()).toBe(true);
});
