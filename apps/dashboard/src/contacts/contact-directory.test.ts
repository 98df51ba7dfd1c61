import type { Contact } from '@switchboard/contracts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createContactDirectory } from './contact-directory.ts';

const contactOf = (number: string, name: string): Contact => ({
  id: number,
  number,
  other_numbers: [],
  name,
  fields: {},
  tags: [],
  created_at: '',
  updated_at: '',
});

let known: Record<string, string>;
let requests: string[][];
const create = () =>
  createContactDirectory(async (numbers) => {
    requests.push(numbers);
    return numbers.flatMap((number) => {
      const name = known[number];
      return name === undefined ? [] : [contactOf(number, name)];
    });
  });

beforeEach(() => {
  vi.useFakeTimers();
  known = { '+1': 'Ada' };
  requests = [];
});
afterEach(() => {
  vi.useRealTimers();
});

test('numbers that appear together are looked up in one request, and numbers that were looked up need no other', async () => {
  const directory = create();
  const listener = vi.fn();
  for (const number of ['+1', '+2', '+1']) directory.watch(number, listener);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests).toEqual([['+1', '+2']]);
  expect([directory.read('+1')?.name, directory.read('+2')]).toEqual(['Ada', null]);
  directory.watch('+2', listener);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requests).toHaveLength(1);
});

test('many new numbers are looked up in at most one request a second', async () => {
  const directory = create();
  for (let n = 0; n < 250; n += 1) directory.watch(`+${n}`, () => undefined);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(requests.map((numbers) => numbers.length)).toEqual([100, 100]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests.map((numbers) => numbers.length)).toEqual([100, 100, 50]);
});

test('a changed contact is shown immediately wherever its number is, and a refresh finds changes by other users', async () => {
  const directory = create();
  const listener = vi.fn();
  const end = directory.watch('+1', listener);
  await vi.advanceTimersByTimeAsync(1_000);
  directory.put(contactOf('+1', 'Ada Lovelace'));
  expect(listener).toHaveBeenCalledTimes(2);
  known = {};
  directory.refresh();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(directory.read('+1')).toBeNull();
  end();
  directory.refresh();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests).toHaveLength(2);
});
