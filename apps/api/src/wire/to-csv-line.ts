import { escapeFormula } from '@switchboard/contracts';

/** The beginning of a file. Excel reads a file as UTF-8 only if it begins with this mark. */
export const CSV_START = '\uFEFF';

/** Writes a line of a table as CSV (RFC 4180). */
export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(toCsvCell).join(',')}\r\n`;
}

/** Returns a cell that no spreadsheet executes as a formula. */
export const toSafeCell = escapeFormula;

/** Quotes a cell if necessary. */
export function toCsvCell(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
