const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const RANGES = [
  { id: '24h', name: '24 hours', interval: 'hour', ms: DAY_MS },
  { id: '7d', name: '7 days', interval: 'hour', ms: 7 * DAY_MS },
  { id: '30d', name: '30 days', interval: 'day', ms: 30 * DAY_MS },
  { id: '90d', name: '90 days', interval: 'day', ms: 90 * DAY_MS },
] as const;

export type Range = (typeof RANGES)[number];

export function readRange(id: string | undefined): Range {
  return RANGES.find((range) => range.id === id) ?? RANGES[0];
}

/** Whole intervals: the first one is not cut, and the last is the one we are in. */
export function rangeQuery({ interval, ms }: Range, nowMs = Date.now()): string {
  const unit = interval === 'hour' ? HOUR_MS : DAY_MS;
  const to = (Math.floor(nowMs / unit) + 1) * unit;
  return new URLSearchParams({
    interval,
    from: new Date(to - ms).toISOString(),
    to: new Date(to).toISOString(),
  }).toString();
}
