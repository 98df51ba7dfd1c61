const HOUR_MS = 3_600_000;

/**
 * Parses a `Retry-After` header, which holds seconds or an HTTP date (RFC 9110, 10.2.3), into
 * milliseconds; null if it is absent or malformed. Capped at one hour, so that no response delays a
 * message forever.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (text === '') return null;
  const delayMs = /^[0-9]+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(delayMs) ? null : Math.min(Math.max(delayMs, 0), HOUR_MS);
}
