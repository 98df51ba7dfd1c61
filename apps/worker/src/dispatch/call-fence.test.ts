import { expect, test } from 'vitest';
import { createCallFence } from './call-fence.ts';

const times = { leaseMs: 60_000, callTimeoutMs: 15_000 };

test.each([
  ['if the whole call fits into the lease', 45_000, 45_000, true],
  ['not if the call does not fit into the lease', 45_001, 45_001, false],
  ['not after the machine slept, which stops the monotonic clock', 10, 3_600_000, false],
  ['although the wall clock was set back', 10, -300_000, true],
])('a request may be written: %s', (_when, monotonicMs, wallMs, may) => {
  let monotonic = 5_000;
  let wall = 1_700_000_000_000;
  const mayWrite = createCallFence({ now: () => wall, monotonic: () => monotonic }, times);
  monotonic += monotonicMs;
  wall += wallMs;
  expect(mayWrite()).toBe(may);
});
