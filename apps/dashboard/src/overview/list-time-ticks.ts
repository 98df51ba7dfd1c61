/** Fewer labels fit on a phone without covering each other. */
const LABELS = 6;
const HOUR_MS = 3_600_000;

/**
 * Returns the indexes of the intervals with a label on the time axis: hours of one day, or days. With hours of
 * several days, only those that begin a day are labeled.
 */
export function listTimeTicks(starts: readonly string[]): { indexes: number[]; isByHour: boolean } {
  const all = starts.map((_, index) => index);
  const times = starts.map((start) => Date.parse(start));
  const step = (times[1] ?? Infinity) - (times[0] ?? 0);
  const isByHour = step <= HOUR_MS && starts.length <= 48;
  const candidates =
    step > HOUR_MS || isByHour
      ? all
      : all.filter((index) => new Date(times[index] ?? 0).getHours() === 0);
  const every = Math.ceil(candidates.length / LABELS);
  return { indexes: candidates.filter((_, place) => place % every === 0), isByHour };
}
