import { type NumberFormat, escapeFormula, spaceNumber } from '@switchboard/contracts';
import { isPhoneNumber } from '@switchboard/core';

/** The beginning of a file. Excel reads a file as UTF-8 only if it begins with this mark. */
export const CSV_START = '\uFEFF';

/** Writes a line of a table as CSV (RFC 4180). */
export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(toCsvCell).join(',')}\r\n`;
}

/** The largest rows of a part take a few milliseconds to write. */
const ROWS_PER_PART = 20;

/** Writes the rows of a page in parts, for `SendTable`. */
export function* writeRows<Row>(
  rows: readonly Row[],
  toLine: (row: Row) => string,
): Generator<string, void, undefined> {
  for (let start = 0; start < rows.length; start += ROWS_PER_PART) {
    yield rows
      .slice(start, start + ROWS_PER_PART)
      .map(toLine)
      .join('');
  }
}

/** Returns a cell that no spreadsheet executes as a formula. */
export const toSafeCell = escapeFormula;

/** The plus sign of a phone number needs no escape, because only digits and a space follow it. */
export function toNumberCell(number: string | null, format: NumberFormat): string {
  if (number === null || !isPhoneNumber(number)) return toSafeCell(number ?? '');
  return format === 'spaced' ? spaceNumber(number) : number;
}

/** Quotes a cell if necessary. */
export function toCsvCell(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
