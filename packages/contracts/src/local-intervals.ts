const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** As many as there are zones, more or less. */
const MAX_FORMATS = 500;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether it is an IANA name that this machine knows, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The beginning of the local hour that a time is in, in milliseconds. */
export function startOfLocalHour(ms: number, timeZone: string): number {
  const offset = offsetAt(ms, timeZone);
  return Math.floor((ms + offset) / HOUR_MS) * HOUR_MS - offset;
}

/** The beginning of the local day that a time is in; of `days` days after that one, where given. */
export function startOfLocalDay(ms: number, timeZone: string, days = 0): number {
  const day = Math.floor((ms + offsetAt(ms, timeZone)) / DAY_MS) + days;
  const midnight = day * DAY_MS;
  // Clocks change once at most between two guesses that lie so close together.
  const guess = midnight - offsetAt(midnight, timeZone);
  const start = midnight - offsetAt(guess, timeZone);
  // A day whose midnight is skipped begins with the first hour that it has.
  return start + offsetAt(start, timeZone) < midnight ? guess : start;
}

/** How far the zone's clocks are ahead of UTC at a time, in milliseconds. */
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
  // Names are taken in any case, so there is no end of them.
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(timeZone, format);
  return format;
}
