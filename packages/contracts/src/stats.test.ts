import { expect, test } from 'vitest';
import { type RawQuery, parseQuery } from './query.ts';
import { listIntervals, statsQuery, toStatsQuery } from './stats.ts';

const parseStatsQuery = (query: RawQuery, nowMs: number) =>
  toStatsQuery(parseQuery(statsQuery, query), nowMs);

const NOW = Date.parse('2026-03-10T15:30:00.000Z');

test('statistics without parameters cover the last 30 days by day', () => {
  expect(parseStatsQuery({}, NOW)).toEqual({
    interval: 'day',
    from: new Date('2026-02-08T15:30:00.000Z'),
    to: new Date(NOW),
    timeZone: 'UTC',
  });
});

test('statistics by hour cover the last 24 hours by default', () => {
  const query = parseStatsQuery({ interval: 'hour', to: '2026-03-01' }, NOW);
  expect(query.from.toISOString()).toBe('2026-02-28T00:00:00.000Z');
  expect(listIntervals(query)).toHaveLength(24);
});

test.each([
  [{ interval: 'week' }, '`interval` must be hour or day'],
  [{ interval: ['day', 'day'] }, '`interval` must be given only once'],
  [
    { time_zone: 'Berlin' },
    '`time_zone` must be the name of a time zone, for example Europe/Berlin',
  ],
  [{ from: 'yesterday' }, '`from` must be an ISO 8601 date or time'],
  [{ from: '0000-01-01', to: '0000-12-31' }, '`to` must be a time from 1971 to 9999'],
  [{ to: '9999-12-31T23:59:59-01:00' }, '`to` must be a time from 1971 to 9999'],
  [{ from: '2026-03-11' }, '`from` must be before `to`'],
  [{ from: '2026-03-01', to: '2026-03-01' }, '`from` must be before `to`'],
  [{ from: '2025-03-01', to: '2026-03-03' }, '`from` must be at most 366 days before `to`'],
  [{ interval: 'hour', from: '2026-02-01' }, '`from` must be at most 31 days before `to`'],
])('the statistics query %j is refused: %s', (query, detail) => {
  expect(() => parseStatsQuery(query, NOW)).toThrow(detail);
});

test('statistics cover at most 366 days or 744 hours', () => {
  const days = parseStatsQuery({ from: '2025-03-01', to: '2026-03-02' }, NOW);
  expect(listIntervals(days)).toHaveLength(366);
  const hours = parseStatsQuery({ interval: 'hour', from: '2026-01-01', to: '2026-02-01' }, NOW);
  expect(listIntervals(hours)).toHaveLength(744);
});

test('intervals begin on the hour or at midnight UTC, and the first one at or before `from`', () => {
  const query = parseStatsQuery(
    { from: '2026-03-08T10:00:00Z', to: '2026-03-10T00:00:00.001Z' },
    NOW,
  );
  expect(listIntervals(query).map((start) => start.toISOString())).toEqual([
    '2026-03-08T00:00:00.000Z',
    '2026-03-09T00:00:00.000Z',
    '2026-03-10T00:00:00.000Z',
  ]);
});

test.each([
  ['Europe/Berlin', '2026-03-28T23:00Z', '2026-03-31T22:00Z', [23, 22, 22]],
  ['Asia/Kolkata', '2026-03-01T00:00Z', '2026-03-02T00:00Z', [18.5, 18.5]],
  // If clocks go forward at midnight, the day begins at one.
  ['America/Sao_Paulo', '2018-11-03T12:00Z', '2018-11-05T12:00Z', [3, 3, 2]],
  // The time zone skipped the 30th.
  ['Pacific/Apia', '2011-12-29T12:00Z', '2012-01-01T00:00Z', [10, 10, 10]],
])('days begin at midnight in %s', (time_zone, from, to, hours) => {
  const starts = listIntervals(parseStatsQuery({ time_zone, from, to }, NOW));
  expect(starts.map((start) => start.getUTCHours() + start.getUTCMinutes() / 60)).toEqual(hours);
});

test('hourly intervals begin on the hour of the time zone', () => {
  const query = parseStatsQuery(
    {
      interval: 'hour',
      time_zone: 'Asia/Kolkata',
      from: '2026-03-01T10:15:00Z',
      to: '2026-03-01T11:31:00Z',
    },
    NOW,
  );
  expect(listIntervals(query).map((start) => start.toISOString())).toEqual([
    '2026-03-01T09:30:00.000Z',
    '2026-03-01T10:30:00.000Z',
    '2026-03-01T11:30:00.000Z',
  ]);
});
