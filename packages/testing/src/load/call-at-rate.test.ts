import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EVENTUALLY } from '../eventually.ts';
import { callAtRate } from './call-at-rate.ts';

test('callAtRate does not wait for earlier calls, and its end waits for all calls', async () => {
  const begun: number[] = [];
  const release: (() => void)[] = [];
  const stop = callAtRate(1_000, (number) => {
    begun.push(number);
    return new Promise<void>((resolve) => release.push(resolve));
  });
  await expect.poll(() => begun.length, EVENTUALLY).toBeGreaterThan(1);
  let hasEnded = false;
  const ended = stop().then(() => (hasEnded = true));
  expect(begun.slice(0, 2)).toEqual([0, 1]);
  for (const resolve of release.slice(1)) resolve();
  // The end of the calls takes several turns of the event loop.
  await delay(50);
  expect(hasEnded).toBe(false);
  for (const resolve of release) resolve();
  await ended;
});

test('callAtRate throws the error of a failed call when it ends', async () => {
  let calls = 0;
  const stop = callAtRate(1_000, async () => {
    calls += 1;
    throw new Error('refused');
  });
  await expect.poll(() => calls, EVENTUALLY).toBeGreaterThan(0);
  await expect(stop()).rejects.toThrow('refused');
});
