const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

export interface Instant {
  /** Whole milliseconds, rounded down. */
  ms: number;
  /** Whether digits finer than milliseconds were dropped. */
  truncated: boolean;
  hasOffset: boolean;
}

/**
 * Parses an ISO 8601 calendar date, alone (midnight UTC) or with a time; without an offset, UTC.
 * Null for any other text and for dates that do not exist.
 */
export function parseInstant(value: string): Instant | null {
  const match = ISO_8601.exec(value);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number];
  const fraction = (match[7] ?? '').padEnd(9, '0');
  const offset = match[8];

  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, day);
  utc.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3)));
  const exists =
    utc.getUTCMonth() === month - 1 &&
    utc.getUTCDate() === day &&
    utc.getUTCHours() === hour &&
    minute < 60 &&
    second < 60;
  const offsetMs = offset === undefined ? 0 : parseOffsetMs(offset);
  if (!exists || offsetMs === null) return null;
  return {
    ms: utc.getTime() - offsetMs,
    truncated: /[1-9]/.test(fraction.slice(3)),
    hasOffset: offset !== undefined,
  };
}

function parseOffsetMs(offset: string): number | null {
  if (offset.toUpperCase() === 'Z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', '') || 0);
  if (hours > 23 || minutes > 59) return null;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
