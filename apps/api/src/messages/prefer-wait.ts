/** The longest wait; a client that asks for more gets this. */
export const LONGEST_WAIT_SECONDS = 30;

/**
 * The seconds of `Prefer: wait=N` (RFC 7240), or null when the header does not ask for a wait.
 * What is malformed is ignored, as the RFC wants.
 */
export function parsePreferWait(header: string | string[] | undefined): number | null {
  if (header === undefined) return null;
  const preferences = (Array.isArray(header) ? header.join(',') : header).split(',');
  for (const preference of preferences) {
    const [name, value] = (preference.split(';')[0] ?? '').split('=').map((part) => part.trim());
    if (name?.toLowerCase() !== 'wait') continue;
    const digits = /^"?(\d+)"?$/.exec(value ?? '')?.[1];
    // Of a preference that stands twice the first one counts.
    return digits === undefined ? null : Math.min(Number(digits), LONGEST_WAIT_SECONDS);
  }
  return null;
}
