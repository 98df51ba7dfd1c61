import { expect, test } from 'vitest';
import { createFairTurns } from './fair-turns.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('at most the limit of tasks run at the same time, one of each owner, and an owner with many tasks does not delay others', async () => {
  const takeTurn = createFairTurns(2);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string) =>
    takeTurn(name.slice(0, 1), async () => {
      started.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map(run);
  await turn();
  expect(started).toEqual(['a1', 'b1']);
  ends.shift()?.();
  await turn();
  expect(started).toEqual(['a1', 'b1', 'a2']);
  ends.shift()?.();
  await turn();
  expect(started).toEqual(['a1', 'b1', 'a2', 'c1']);
  while (ends.length > 0) {
    ends.shift()?.();
    await turn();
  }
  await Promise.all(all);
  expect(started).toEqual(['a1', 'b1', 'a2', 'c1', 'a3']);
});

test('a task that fails frees its turn', async () => {
  const takeTurn = createFairTurns(1);
  const failed = takeTurn('a', () => Promise.reject(new Error('no')));
  await expect(failed).rejects.toThrow('no');
  expect(await takeTurn('a', async () => 'next')).toBe('next');
});
