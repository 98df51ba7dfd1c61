import { expect, test } from 'vitest';
import { createCallFence } from './call-fence.ts';

const times = { leaseMs: 60_000, callTimeoutMs: 15_000 };

test.each([
  ['may be written while the whole call fits in the lease', 45_000, 45_000, true],
  ['may not be written once the call does not fit in the lease', 45_001, 45_001, false],
  ['may not be written after a sleep, which stops the monotonic clock', 10, 3_600_000, false],
  ['may be written although the wall clock was set back', 10, -300_000, true],
])('a request %s', (_what, monotonicMs, wallMs, may) => {
  let monotonic = 5_000;
  let wall = 1_700_000_000_000;
  const mayWrite = createCallFence({ now: () => wall, monotonic: () => monotonic }, times);
  monotonic += monotonicMs;
  wall += wallMs;
  expect(mayWrite()).toBe(may);
});
