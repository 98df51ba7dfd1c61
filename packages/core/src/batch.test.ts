import { EVENTUALLY } from '@switchboard/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { BatchFullError, createBackgroundBatch, createBatch } from './batch.ts';

afterEach(() => {
  vi.useRealTimers();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('calls during a running batch share the next one, and calls beyond maxWaiting are rejected', async () => {
  const batches: (readonly number[])[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const add = createBatch<number, number>({
    maxSize: 10,
    concurrency: 1,
    maxWaiting: 3,
    async run(items) {
      batches.push(items);
      await held;
      return items.map((item) => item * 2);
    },
  });
  const first = add(0);
  await new Promise((resolve) => setImmediate(resolve));
  const waiting = [1, 2, 3].map(add);
  await expect(add(4)).rejects.toThrow(BatchFullError);
  release();
  expect(await Promise.all([first, ...waiting])).toEqual([0, 2, 4, 6]);
  expect(batches).toEqual([[0], [1, 2, 3]]);
});

test('the first batch after an idle moment takes half of many calls, and the next batch takes all', async () => {
  const batches: (readonly number[])[] = [];
  const releases: (() => void)[] = [];
  const add = createBatch<number, number>({
    maxSize: 10,
    concurrency: 1,
    halvesFrom: 4,
    maxWaiting: 100,
    async run(items) {
      batches.push(items);
      await new Promise<void>((resolve) => releases.push(resolve));
      return items;
    },
  });
  const finishOne = async () => {
    await turn();
    releases.shift()?.();
    await turn();
  };
  const groups = [
    [1, 2, 3],
    [4, 5, 6, 7, 8],
    [9, 10],
  ];
  const [few = [], many = [], late = []] = groups;
  const results = few.map(add);
  await finishOne();
  results.push(...many.map(add));
  await turn();
  results.push(...late.map(add));
  await finishOne();
  await finishOne();
  expect(await Promise.all(results)).toEqual(groups.flat());
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9, 10],
  ]);
});

test('a second batch starts beside one that takes longer than besideAfterMs, but no third', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const batches: (readonly number[])[] = [];
  const add = createBatch<number, number>({
    maxSize: 10,
    concurrency: 2,
    besideAfterMs: 5,
    maxWaiting: 100,
    run(items) {
      batches.push(items);
      return new Promise(() => undefined);
    },
  });
  const startedAfter = async (ms: number) => {
    vi.advanceTimersByTime(ms);
    await turn();
    return batches.length;
  };
  void add(1);
  await turn();
  void add(2);
  expect([await startedAfter(4), await startedAfter(1)]).toEqual([1, 2]);
  void add(3);
  expect(await startedAfter(60)).toBe(2);
  expect(batches).toEqual([[1], [2]]);
});

test('a failed batch rejects only its own calls, and the next batch runs', async () => {
  const add = createBatch<number, number>({
    maxSize: 1,
    concurrency: 1,
    maxWaiting: 10,
    run: async (items) => {
      if (items.includes(1)) throw new Error('no');
      return items;
    },
  });
  const results = await Promise.allSettled([add(1), add(2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('a background batch reports failed and rejected items, and the next batch runs', async () => {
  const done: number[] = [];
  const failed: (readonly number[])[] = [];
  const add = createBackgroundBatch<number>({
    maxSize: 1,
    concurrency: 1,
    maxWaiting: 2,
    async run(items) {
      if (items.includes(1)) throw new Error('no');
      done.push(...items);
    },
    onFailed: (_error, items) => failed.push(items),
  });
  for (const item of [1, 2, 3]) add(item);
  expect(failed).toEqual([[3]]);
  await vi.waitFor(() => expect(done).toEqual([2]), EVENTUALLY);
  expect(failed).toEqual([[3], [1]]);
});

test('a batch starts immediately after a small one, but gathers more items after a busy one until it is full', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const batches: (readonly number[])[] = [];
  const add = createBatch<number, number>({
    maxSize: 4,
    concurrency: 1,
    maxWaiting: 10,
    gather: { from: 3, ms: 20 },
    async run(items) {
      batches.push(items);
      return items;
    },
  });
  const first = [1, 2, 3].map(add);
  await Promise.all(first);
  const [fourth, fifth] = [add(4), add(5)];
  await turn();
  await turn();
  expect(batches).toEqual([[1, 2, 3]]);
  vi.advanceTimersByTime(20);
  await Promise.all([fourth, fifth]);
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);

  // The fake timers do not advance from here on.
  await add(6);
  await Promise.all([7, 8, 9].map(add));
  await Promise.all([10, 11, 12, 13].map(add));
  expect(batches.slice(2)).toEqual([[6], [7, 8, 9], [10, 11, 12, 13]]);
});
