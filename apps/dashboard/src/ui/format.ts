import * as strings from '#strings/units';

// One hour format for every time, in the user's locale.
const HOUR = { hour: 'numeric', minute: '2-digit' } as const;
const formatOf = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, options);

function createFormats() {
  return {
    clock: formatOf(HOUR),
    clockAndZone: formatOf({ ...HOUR, timeZoneName: 'short' }),
    day: formatOf({ day: 'numeric', month: 'short' }),
    dayAndYear: formatOf({ dateStyle: 'medium' }),
    full: formatOf({
      ...HOUR,
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      second: '2-digit',
      timeZoneName: 'short',
    }),
    precise: formatOf({ ...HOUR, second: '2-digit', fractionalSecondDigits: 3 }),
  };
}

const readTimeZone = (): string => formatOf({}).resolvedOptions().timeZone;

let timeZone = readTimeZone();
let formats = createFormats();

/** Returns the time zone of every time in the dashboard, for example `Europe/Berlin`. */
export const getTimeZone = (): string => timeZone;

/** Uses the zone that the computer has now. A format keeps the zone in which it was created, but a `Date` does not. */
export function updateTimeZone(): void {
  const current = readTimeZone();
  if (current === timeZone) return;
  timeZone = current;
  formats = createFormats();
}

const count = new Intl.NumberFormat();
const tenths = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const wholePercent = new Intl.NumberFormat(undefined, { style: 'percent' });
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/**
 * Shows the time for today, the day and the time for other days of this year, and only the date for
 * other years.
 */
export function formatTime(iso: string, now = new Date()): string {
  const at = new Date(iso);
  if (at.toDateString() === now.toDateString()) return formats.clock.format(at);
  return at.getFullYear() === now.getFullYear()
    ? strings.dayAndTime({ day: formats.day.format(at), time: formats.clock.format(at) })
    : formats.dayAndYear.format(at);
}

/** Shows the day, the time and the zone, for example `Nov 23, 2026, 4:50:12 PM GMT+1`. */
export const formatFullTime = (iso: string): string => formats.full.format(new Date(iso));
export const formatClock = (iso: string): string => formats.clock.format(new Date(iso));
/** Shows the time and its zone, for example `2:30 AM GMT+2`. */
export const formatClockWithZone = (ms: number): string =>
  formats.clockAndZone.format(new Date(ms));

/** Shows the day with its year. */
export const formatDate = (iso: string): string => formats.dayAndYear.format(new Date(iso));

/** Shows the day with its year, or `Today`. */
export function formatDay(iso: string, now = new Date()): string {
  const at = new Date(iso);
  return at.toDateString() === now.toDateString() ? strings.today : formatDate(iso);
}

/** Shows the day and month, without the year. */
export const formatShortDay = (iso: string): string => formats.day.format(new Date(iso));

const STYLES = {
  short: (iso: string) => formatTime(iso),
  clock: formatClock,
  /** With milliseconds, without the day. */
  precise: (iso: string) => formats.precise.format(new Date(iso)),
  full: formatFullTime,
} as const;

export type TimeStyle = keyof typeof STYLES;

export const formatAs = (style: TimeStyle, iso: string): string => STYLES[style](iso);

/** Formats a share, for example `98.5%`. */
export const formatPercent = (share: number): string => percent.format(share);
export const formatCount = (value: number): string => count.format(value);

/** Formats a share as a whole percentage. */
export const formatShare = (share: number): string => wholePercent.format(share);

/** Formats a size, for example `640 kB` or `12.5 MB`. */
export function formatBytes(bytes: number): string {
  return bytes < 1_000_000
    ? strings.kilobytes(formatCount(Math.round(bytes / 1_000)))
    : strings.megabytes(tenths.format(bytes / 1_000_000));
}

const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Isolates text of any direction with Unicode marks, where a `<bdi>` element is not allowed. Marks in the text could end the
 * isolation, so it has none.
 */
export const isolate = (text: string): string => `\u2068${text.replace(BIDI_CONTROLS, '')}\u2069`;

/** Formats a duration, for example `340 ms`, `2.4 s`, `3 min 5 s` or `2 h 4 min`. */
export function formatSpan(ms: number): string {
  if (ms < 1_000) return strings.milliseconds(formatCount(Math.round(ms)));
  if (ms < 60_000) return strings.seconds(tenths.format(ms / 1_000));
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) {
    return strings.minutesAndSeconds({ minutes, seconds: Math.round((ms % 60_000) / 1_000) });
  }
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? strings.hoursAndMinutes({ hours, minutes: minutes % 60 })
    : strings.days(Math.floor(hours / 24));
}
