export const DAY_MS = 86_400_000;

/** Milliseconds. `from` is inclusive, `to` is exclusive, and null means no limit. */
export interface TimeRange {
  from: number | null;
  to: number | null;
}

export interface SplitRange {
  /** The whole days (UTC) of the range, counted from 1970; null if there is none. */
  days: TimeRange | null;
  /** The parts of days at the ends of the range. */
  edges: { from: number; to: number }[];
}

/** Divides a range into whole days and the parts of days at its ends. */
export function splitByDay({ from, to }: TimeRange): SplitRange {
  const first = from === null ? null : Math.ceil(from / DAY_MS);
  const end = to === null ? null : Math.floor(to / DAY_MS);
  const edges: SplitRange['edges'] = [];
  const addEdge = (start: number, stop: number): void => {
    if (start < stop) edges.push({ from: start, to: stop });
  };
  if (first !== null && end !== null && first >= end) {
    addEdge(from ?? 0, to ?? 0);
    return { days: null, edges };
  }
  if (from !== null && first !== null) addEdge(from, first * DAY_MS);
  if (to !== null && end !== null) addEdge(end * DAY_MS, to);
  return { days: { from: first, to: end }, edges };
}
