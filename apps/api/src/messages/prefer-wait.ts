import { readPreference } from '../http/read-preference.ts';

/** The longest wait; a client that asks for more gets this. */
export const LONGEST_WAIT_SECONDS = 30;

/**
 * The seconds of `Prefer: wait=N` (RFC 7240), or null when the header does not ask for a wait.
 * Malformed values are ignored, as the RFC requires.
 */
export function parsePreferWait(header: string | string[] | undefined): number | null {
  const digits = readPreference(header, 'wait');
  return digits !== null && /^\d+$/.test(digits)
    ? Math.min(Number(digits), LONGEST_WAIT_SECONDS)
    : null;
}
