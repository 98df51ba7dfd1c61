import { EVENTUALLY } from '@switchboard/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { BatchFullError, createBackgroundBatch, createBatch } from './batch.ts';

afterEach(() => {
  vi.useRealTimers();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('what comes while a batch runs shares the next one, and beyond the room for waiting is refused undone', async () => {
  const batches: (readonly number[])[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const ask = createBatch<number, number>({
    maxSize: 10,
    concurrency: 1,
    maxWaiting: 3,
    async run(items) {
      batches.push(items);
      await held;
      return items.map((item) => item * 2);
    },
  });
  const first = ask(0);
  await new Promise((resolve) => setImmediate(resolve));
  const waiting = [1, 2, 3].map(ask);
  await expect(ask(4)).rejects.toThrow(BatchFullError);
  release();
  expect(await Promise.all([first, ...waiting])).toEqual([0, 2, 4, 6]);
  expect(batches).toEqual([[0], [1, 2, 3]]);
});

test('of many that come while nothing is under way half go first, and then all that waits', async () => {
  const batches: (readonly number[])[] = [];
  const releases: (() => void)[] = [];
  const ask = createBatch<number, number>({
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
  const asked = [
    [1, 2, 3],
    [4, 5, 6, 7, 8],
    [9, 10],
  ];
  const [few = [], many = [], late = []] = asked;
  const answers = few.map(ask);
  await finishOne();
  answers.push(...many.map(ask));
  await turn();
  answers.push(...late.map(ask));
  await finishOne();
  await finishOne();
  expect(await Promise.all(answers)).toEqual(asked.flat());
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9, 10],
  ]);
});

test('a batch starts beside another when that one takes long, and no third does', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const batches: (readonly number[])[] = [];
  const ask = createBatch<number, number>({
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
  void ask(1);
  await turn();
  void ask(2);
  expect([await startedAfter(4), await startedAfter(1)]).toEqual([1, 2]);
  void ask(3);
  expect(await startedAfter(60)).toBe(2);
  expect(batches).toEqual([[1], [2]]);
});

test('a batch that fails fails its own, and the next one runs', async () => {
  const ask = createBatch<number, number>({
    maxSize: 1,
    concurrency: 1,
    maxWaiting: 10,
    run: async (items) => {
      if (items.includes(1)) throw new Error('no');
      return items;
    },
  });
  const answers = await Promise.allSettled([ask(1), ask(2)]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('in the background, items of a failed batch and refused ones are told of, and the next batch runs', async () => {
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

test('after a busy batch more is gathered for the next, unless that is full; after a quiet one it begins at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const batches: (readonly number[])[] = [];
  const ask = createBatch<number, number>({
    maxSize: 4,
    concurrency: 1,
    maxWaiting: 10,
    gather: { from: 3, ms: 20 },
    async run(items) {
      batches.push(items);
      return items;
    },
  });
  const first = [1, 2, 3].map(ask);
  await Promise.all(first);
  const [fourth, fifth] = [ask(4), ask(5)];
  await turn();
  await turn();
  expect(batches).toEqual([[1, 2, 3]]);
  vi.advanceTimersByTime(20);
  await Promise.all([fourth, fifth]);
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);

  // Nothing but turns of the loop passes from here on.
  await ask(6);
  await Promise.all([7, 8, 9].map(ask));
  await Promise.all([10, 11, 12, 13].map(ask));
  expect(batches.slice(2)).toEqual([[6], [7, 8, 9], [10, 11, 12, 13]]);
});
