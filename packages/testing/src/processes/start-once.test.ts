import { expect, test } from 'vitest';
import { startOnce } from './start-once.ts';

test('what the test files of a process share is started once, and again only if the start failed', async () => {
  const names: string[] = [];
  const start = async (name: string) => {
    names.push(name);
    if (name === 'first') throw new Error('the start failed');
    return { name };
  };
  await expect(startOnce('example', () => start('first'))).rejects.toThrow('the start failed');
  const [one, other] = await Promise.all([
    startOnce('example', () => start('second')),
    startOnce('example', () => start('third')),
  ]);
  expect(one).toEqual({ name: 'second' });
  expect(other).toBe(one);
  expect(names).toEqual(['first', 'second']);
});
