import { z } from 'zod';
import { isTimeZone, startOfLocalDay, startOfLocalHour } from './local-intervals.ts';
import { direction, messageStatus } from './message.ts';
import { instant, invalidParameter } from './query.ts';
import { timestamp } from './timestamp.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A year after the epoch, so that the default `from` is not before it. */
const MIN_MS = Date.UTC(1971, 0);
const MAX_MS = Date.UTC(10_000, 0) - 1;

/** The maximum period of a query, and the default period without `from`. */
const INTERVALS = {
  hour: { ms: HOUR_MS, max: 31 * DAY_MS, maxDays: 31, default: DAY_MS },
  day: { ms: DAY_MS, max: 366 * DAY_MS, maxDays: 366, default: 30 * DAY_MS },
} as const;

const TIME_ZONE_MAX_CHARACTERS = 64;

const interval = z.enum(['hour', 'day'], 'must be hour or day');

/** A time in milliseconds. Times that no message can have are refused. */
const time = () =>
  instant()
    .transform(({ ms }) => ms)
    .refine((ms) => ms >= MIN_MS && ms <= MAX_MS, { error: 'must be a time from 1971 to 9999' });

export const statsQuery = z.object({
  interval: interval.optional().describe('Defaults to `day`'),
  from: time()
    .optional()
    .describe(
      'Inclusive; defaults to 24 hours before `to` if `interval` is `hour`, otherwise 30 days',
    ),
  to: time().optional().describe('Exclusive; defaults to the current time'),
  time_zone: z
    .string()
    .refine((name) => name.length <= TIME_ZONE_MAX_CHARACTERS && isTimeZone(name), {
      error: 'must be the name of a time zone, for example Europe/Berlin',
    })
    .optional()
    .describe('The time zone of the hours and days; defaults to UTC')
    .meta({ examples: ['Europe/Berlin'] }),
});

export interface StatsQuery {
  interval: keyof typeof INTERVALS;
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
  timeZone: string;
}

/**
 * Parses a statistics query. `interval` is `hour` or `day` (the default); `to` defaults to the
 * current time, `from` to 24 hours before `to` for `hour` and 30 days for `day`. At most 31 days by
 * hour, 366 by day.
 */
export function toStatsQuery(given: z.output<typeof statsQuery>, nowMs: number): StatsQuery {
  const { interval: unit = 'day', to = nowMs, time_zone: timeZone = 'UTC' } = given;
  const bounds = INTERVALS[unit];
  const from = given.from ?? to - bounds.default;
  if (from >= to) throw invalidParameter('from', 'must be before `to`');
  if (to - from > bounds.max) {
    throw invalidParameter('from', `must be at most ${bounds.maxDays} days before \`to\``);
  }
  return { interval: unit, from: new Date(from), to: new Date(to), timeZone };
}

/**
 * Lists the starts of all intervals that overlap the period from `from` to `to`, in the time zone.
 * A day has 23 or 25 hours when clocks change.
 */
export function listIntervals({ interval: unit, from, to, timeZone }: StatsQuery): Date[] {
  const starts: number[] = [];
  const fromMs = from.getTime();
  const first = unit === 'hour' ? startOfLocalHour(fromMs, timeZone) : 0;
  for (let n = 0; ; n += 1) {
    const start = unit === 'hour' ? first + n * HOUR_MS : startOfLocalDay(fromMs, timeZone, n);
    if (start >= to.getTime()) break;
    // A day that the time zone skipped contains no time.
    if (start > (starts.at(-1) ?? Number.NEGATIVE_INFINITY)) starts.push(start);
  }
  return starts.map((ms) => new Date(ms));
}

/** Message counts by time of creation. Intervals without messages are included, with no counts. */
export const stats = z
  .object({
    interval,
    from: timestamp.describe('Inclusive; the first interval counts from this time'),
    to: timestamp.describe('Exclusive'),
    data: z.array(
      z.object({
        start: timestamp,
        counts: z.array(z.object({ direction, status: messageStatus, count: z.number() })),
      }),
    ),
  })
  .meta({ id: 'Stats' });

export type Stats = z.infer<typeof stats>;
