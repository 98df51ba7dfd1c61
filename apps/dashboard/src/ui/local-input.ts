/** A time as a date-time input has it: by the reader’s clock, to the minute. */
export function toLocalInput(ms: number): string {
  const at = new Date(ms);
  return new Date(ms - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
