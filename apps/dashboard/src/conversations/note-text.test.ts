import { expect, test } from 'vitest';
import { changeBody, trimNote } from './note-text.ts';

const RANGES = [
  { id: 'sam-1', start: 5, name: 'Sam' },
  { id: 'sam-2', start: 14, name: 'Sam' },
];
const TEXT = { body: 'Hi,  @Sam and @Sam.', ranges: RANGES };

test.each([
  ['Hi,  @Sam and @Sam. Call', [5, 14]],
  ['Hello,  @Sam and @Sam.', [8, 17]],
  ['@Sam and @Sam.', [0, 9]],
  ['Hi,  @Sam or then @Sam.', [5, 18]],
  ['Hi,  @Sam.', [5]],
  ['Hi,  @ and @Sam.', [11]],
  ['Hi,  @Sam@Sam and @Sam.', [5, 18]],
  ['', []],
])('when the text changes to %j, the chosen members move to %j', (body, starts) => {
  const changed = changeBody(TEXT, body);
  expect(changed.ranges.map(({ start }) => start)).toEqual(starts);
});

test('a member who was chosen second stays the second one when the first is deleted', () => {
  const { ranges } = changeBody(TEXT, 'Hi,  and @Sam.');
  expect(ranges).toEqual([{ id: 'sam-2', start: 9, name: 'Sam' }]);
});

test('the ranges of a trimmed note are those of its text', () => {
  const chosen = { id: 'sam-2', start: 2, name: 'Sam' };
  const { body, ranges } = trimNote({ body: '\n @Sam  ', ranges: [chosen] });
  expect([body, ranges]).toEqual(['@Sam', [{ ...chosen, start: 0 }]]);
});
