const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** About the number of time zones. */
const MAX_FORMATS = 500;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Checks whether a name is an IANA time zone that the runtime supports, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns the start of the local hour of a time, in milliseconds. */
export function startOfLocalHour(ms: number, timeZone: string): number {
  const offset = offsetAt(ms, timeZone);
  return Math.floor((ms + offset) / HOUR_MS) * HOUR_MS - offset;
}

/** Returns the start of the local day of a time, plus `days` days. */
export function startOfLocalDay(ms: number, timeZone: string, days = 0): number {
  const day = Math.floor((ms + offsetAt(ms, timeZone)) / DAY_MS) + days;
  const midnight = day * DAY_MS;
  // A clock changes at most once between two guesses this close together.
  const guess = midnight - offsetAt(midnight, timeZone);
  const start = midnight - offsetAt(guess, timeZone);
  // A day without a midnight begins with its first hour.
  return start + offsetAt(start, timeZone) < midnight ? guess : start;
}

/** Returns the UTC offset of the zone at a time, in milliseconds. */
function offsetAt(ms: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  const whole = Math.floor(ms / 1_000) * 1_000;
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(whole)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  // Names are case-insensitive, so the number of spellings is unlimited.
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(timeZone, format);
  return format;
}
