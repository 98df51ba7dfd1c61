import { createLogger } from '@switchboard/runtime';
import { expect, test } from 'vitest';
import { createWatchClock } from './watch-clock.ts';

test('messages are made due again at the start and when the database’s clock is set back, and at no other time', async () => {
  let monotonic = 1_000;
  let ahead = 1_790_000_000_000;
  const waits: number[] = [];
  const leases: number[] = [];
  const watchClock = createWatchClock({
    databaseClock: { now: () => ahead + monotonic, monotonic: () => monotonic },
    shortenWaits: async (longestWaitMs) => waits.push(longestWaitMs),
    shortenLeases: async () => void leases.push(monotonic),
    longestWaitMs: 360_000,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const check = async (stepMs: number) => {
    ahead += stepMs;
    monotonic += 10_000;
    await watchClock();
    return waits.length;
  };
  expect(await check(0)).toBe(1);
  expect(await check(0)).toBe(1);
  expect(await check(3_600_000)).toBe(1);
  expect(await check(-500)).toBe(1);
  expect(await check(-3_600_000)).toBe(2);
  expect(await check(0)).toBe(2);
  expect(leases).toHaveLength(2);
});
