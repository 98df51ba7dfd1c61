import { expect, test } from 'vitest';

import { createConnectionSlots } from './connection-slots.ts';

function record() {
  const started: string[] = [];
  return { started, start: (name: string) => () => void started.push(name) };
}

test('calls beyond the limit wait and start in the order in which they arrived', () => {
  const slots = createConnectionSlots(2);
  const { started, start } = record();
  for (const name of ['a', 'b', 'c', 'd']) slots.take(start(name));
  expect(started).toEqual(['a', 'b']);
  slots.release();
  expect(started).toEqual(['a', 'b', 'c']);
  slots.release();
  slots.release();
  slots.release();
  slots.take(start('e'));
  slots.take(start('f'));
  slots.take(start('g'));
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('a call that stopped waiting is skipped and takes no slot', () => {
  const slots = createConnectionSlots(1);
  const { started, start } = record();
  slots.take(start('a'));
  const stopWaiting = slots.take(start('b'));
  slots.take(start('c'));
  stopWaiting();
  slots.release();
  expect(started).toEqual(['a', 'c']);
});
