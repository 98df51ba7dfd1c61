import { readPreference } from '../http/read-preference.ts';

/** The longest wait; longer requests are reduced to it. */
export const LONGEST_WAIT_SECONDS = 30;

/**
 * Parses the seconds of `Prefer: wait=N` (RFC 7240); null if the header requests no wait.
 * Malformed values are ignored, as the RFC requires.
 */
export function parsePreferWait(header: string | string[] | undefined): number | null {
  const digits = readPreference(header, 'wait');
  return digits !== null && /^\d+$/.test(digits)
    ? Math.min(Number(digits), LONGEST_WAIT_SECONDS)
    : null;
}
