/** Longer than any field of a provider except a message's text. */
const LONGEST_TEXT = 1_000;

/**
 * Returns text from the provider in a form that PostgreSQL can store; null if it is absent, empty or
 * not a string. Every text except a message's own passes through here: PostgreSQL refuses NUL, and
 * one such row would fail the whole batch.
 */
export function readText(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  return value.slice(0, LONGEST_TEXT).toWellFormed().replaceAll('\0', '\uFFFD');
}
