import { expect, test } from 'vitest';
import { areRangesOf, renameMentions } from './mention-range.ts';

const TEXT = '@Ann and @Bob: @Ann?';
const RANGES = [
  { id: 'a', start: 0, name: 'Ann' },
  { id: 'b', start: 9, name: 'Bob' },
  { id: 'a', start: 15, name: 'Ann' },
];

test('a text has the current names at its ranges, and the ranges move with them', () => {
  const names = new Map([
    ['a', 'Anna-Maria @ Home'],
    ['b', 'נועה'],
  ]);
  const renamed = renameMentions(TEXT, RANGES, names);
  expect(renamed.text).toBe('@Anna-Maria @ Home and @נועה: @Anna-Maria @ Home?');
  expect(areRangesOf(renamed.text, renamed.ranges)).toBe(true);
  expect(renamed.ranges.map(({ id }) => id)).toEqual(['a', 'b', 'a']);
  // And back.
  const back = new Map([
    ['a', 'Ann'],
    ['b', 'Bob'],
  ]);
  expect(renameMentions(renamed.text, renamed.ranges, back)).toEqual({
    text: TEXT,
    ranges: RANGES,
  });
});

test('the name of a person who was deleted stays as it was written', () => {
  const { text, ranges } = renameMentions(TEXT, RANGES, new Map([['b', 'Robert']]));
  expect(text).toBe('@Ann and @Robert: @Ann?');
  expect(ranges).toEqual([{ id: 'b', start: 9, name: 'Robert' }]);
});

test('ranges of an earlier text do not change a later one', () => {
  const names = new Map([['a', 'X']]);
  expect(renameMentions('Ask Ann', RANGES, names)).toEqual({ text: 'Ask Ann', ranges: [] });
});

test.each([
  [[{ id: 'a', start: 1, name: 'Ann' }]],
  [[{ id: 'a', start: 0, name: 'Anne' }]],
  [[{ id: 'a', start: 200, name: '' }]],
  [RANGES.toReversed()],
  [[RANGES[0], RANGES[0]]],
])('%j are no ranges of the text', (ranges) => {
  expect(
    areRangesOf(
      TEXT,
      ranges.filter((range) => range !== undefined),
    ),
  ).toBe(false);
});
