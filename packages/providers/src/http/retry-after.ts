const HOUR_MS = 3_600_000;

/**
 * Milliseconds from a `Retry-After` header, which holds seconds or an HTTP date (RFC 9110, 10.2.3);
 * null when absent or unreadable. Capped at an hour, so that no answer parks a message for ever.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (text === '') return null;
  const delayMs = /^[0-9]+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(delayMs) ? null : Math.min(Math.max(delayMs, 0), HOUR_MS);
}
