import { expect, test } from 'vitest';
import { type TimeRange, splitByDay } from './day-range.ts';

const DAY = 86_400_000;

test('a range without a limit at one end has all days up to that end', () => {
  expect(splitByDay({ from: null, to: null })).toEqual({
    days: { from: null, to: null },
    edges: [],
  });
  expect(splitByDay({ from: 3 * DAY + 1, to: null })).toEqual({
    days: { from: 4, to: null },
    edges: [{ from: 3 * DAY + 1, to: 4 * DAY }],
  });
  expect(splitByDay({ from: null, to: 3 * DAY + 1 })).toEqual({
    days: { from: null, to: 3 },
    edges: [{ from: 3 * DAY, to: 3 * DAY + 1 }],
  });
});

test('each moment of the range is in exactly one day or edge, and other moments are in none', () => {
  const moments = [-DAY, -1, 0, 1, DAY - 1, DAY, DAY + 1, 2 * DAY, 3 * DAY - 1, 3 * DAY];
  for (const from of [null, ...moments]) {
    for (const to of [null, ...moments]) {
      const range: TimeRange = { from, to };
      const { days, edges } = splitByDay(range);
      const isIn = (at: number, part: TimeRange): boolean =>
        (part.from === null || at >= part.from) && (part.to === null || at < part.to);
      for (const at of moments) {
        const parts = edges.filter((edge) => isIn(at, edge)).length;
        const whole = days !== null && isIn(Math.floor(at / DAY), days) ? 1 : 0;
        expect([range, at, parts + whole]).toEqual([range, at, isIn(at, range) ? 1 : 0]);
      }
    }
  }
});

test('a range without a whole day is an edge, within a day and across midnight', () => {
  const range = { from: DAY + 1, to: 2 * DAY + 5 };
  expect(splitByDay(range)).toEqual({ days: null, edges: [range] });
  expect(splitByDay({ from: DAY, to: 2 * DAY })).toEqual({ days: { from: 1, to: 2 }, edges: [] });
});
