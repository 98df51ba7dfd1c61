export const DAY_MS = 86_400_000;

/** Milliseconds, `from` inclusive, `to` exclusive; null: open. */
export interface TimeRange {
  from: number | null;
  to: number | null;
}

export interface SplitRange {
  /** The whole days (UTC) in the range, counted from 1970; null when there are none. */
  days: TimeRange | null;
  /** What is left of it: the parts of days at its ends. */
  edges: { from: number; to: number }[];
}

/** Divides a range into what is counted by the day and what is not. */
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
