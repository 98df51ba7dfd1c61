const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The length of a local time to the minute, for example `2027-10-31T02:30`. */
const LENGTH = 16;

/** Formats a time as the value of a `datetime-local` input: local time, to the minute. */
export function toLocalInput(ms: number): string {
  const at = new Date(ms);
  return new Date(ms - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, LENGTH);
}

/**
 * Returns the times that clocks show as `local`, earliest first: none in the hour that is skipped when they are set
 * forward, and two in the hour that is repeated when they are set back.
 */
export function findInstants(local: string): number[] {
  const utc = Date.parse(`${local.slice(0, LENGTH)}Z`);
  if (Number.isNaN(utc)) return [];
  const offsets = [-DAY_MS, DAY_MS].map((by) => new Date(utc + by).getTimezoneOffset());
  return [...new Set(offsets)]
    .map((offset) => utc + offset * MINUTE_MS)
    .filter((ms) => toLocalInput(ms) === local.slice(0, LENGTH))
    .toSorted((a, b) => a - b);
}

/**
 * Formats a time like `toLocalInput`. The second one of a repeated hour also has its offset, for example
 * `2027-10-31T02:30+01:00`; a value without offset is the first one. `Date.parse` reads both.
 */
export function toLocalTime(ms: number): string {
  const local = toLocalInput(ms);
  const [first = ms, second] = findInstants(local);
  return second === undefined || ms - first < second - first ? local : local + offsetAt(second);
}

/** Returns the local part of a value of `toLocalTime`. */
export const localPart = (value: string): string => value.slice(0, LENGTH);

function offsetAt(ms: number): string {
  const minutes = -new Date(ms).getTimezoneOffset();
  const pad = (part: number): string => String(Math.trunc(Math.abs(part))).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${pad(minutes / 60)}:${pad(minutes % 60)}`;
}
