/**
 * Reads one preference from a `Prefer` header (RFC 7240), for example `30` for `wait` in `wait=30,
 * handling=strict`. Null if the header does not contain it.
 */
export function readPreference(
  header: string | string[] | undefined,
  wanted: string,
): string | null {
  if (header === undefined) return null;
  const preferences = (Array.isArray(header) ? header.join(',') : header).split(',');
  for (const preference of preferences) {
    const [name, value = ''] = (preference.split(';')[0] ?? '')
      .split('=')
      .map((part) => part.trim());
    // The first of repeated preferences counts.
    if (name?.toLowerCase() === wanted) return value.replace(/^"(.*)"$/, '$1');
  }
  return null;
}
