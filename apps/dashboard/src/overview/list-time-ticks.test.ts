import { expect, test } from 'vitest';
import { listTimeTicks } from './list-time-ticks.ts';

/** The starts of intervals, beginning at a local midnight. */
const starts = (count: number, hours: number): string[] =>
  Array.from({ length: count }, (_, n) => new Date(2026, 0, 5, n * hours).toISOString());

test.each([
  ['the hours of a day', starts(24, 1), [0, 4, 8, 12, 16, 20], true],
  ['the hours of a week', starts(168, 1), [0, 48, 96, 144], false],
  ['the days of a month', starts(30, 24), [0, 5, 10, 15, 20, 25], false],
  ['one interval', starts(1, 24), [0], false],
  ['no intervals', [], [], false],
])(
  'the time axis labels at most six of %s, at equal distances',
  (_what, given, indexes, isByHour) => {
    expect(listTimeTicks(given)).toEqual({ indexes, isByHour });
  },
);
