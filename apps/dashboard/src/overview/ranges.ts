import * as strings from '#strings/overview';
import { getTimeZone } from '../ui/format.ts';

const HOUR_MS = 3_600_000;

export const RANGES = [
  { id: '24h', name: strings.lastHours(24), interval: 'hour', intervals: 24 },
  { id: '7d', name: strings.lastDays(7), interval: 'hour', intervals: 7 * 24 },
  { id: '30d', name: strings.lastDays(30), interval: 'day', intervals: 30 },
  { id: '90d', name: strings.lastDays(90), interval: 'day', intervals: 90 },
] as const;

export type Range = (typeof RANGES)[number];

export function readRange(id: string | undefined): Range {
  return RANGES.find((range) => range.id === id) ?? RANGES[0];
}

/** Returns whole hours or days in the user's time zone, up to the end of the current one. */
export function rangeQuery({ interval, intervals }: Range, now = new Date()) {
  const to = new Date(now);
  if (interval === 'hour') to.setMinutes(60, 0, 0);
  else to.setHours(24, 0, 0, 0);
  const from = new Date(to);
  if (interval === 'hour') from.setTime(to.getTime() - intervals * HOUR_MS);
  else from.setDate(from.getDate() - intervals);
  return { interval, time_zone: getTimeZone(), from, to };
}
