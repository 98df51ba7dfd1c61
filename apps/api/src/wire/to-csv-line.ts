import { escapeFormula } from '@switchboard/contracts';

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

/** Quotes a cell if necessary. */
export function toCsvCell(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
