/** Formats a time as the value of a `datetime-local` input: local time, to the minute. */
export function toLocalInput(ms: number): string {
  const at = new Date(ms);
  return new Date(ms - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
