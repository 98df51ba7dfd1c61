import type { TableRow } from '../file/parse-csv.ts';
import { splitNumbers } from '../plan/split-numbers.ts';
import { classifyHeader } from './classify-header.ts';

/** A title above the names of the columns has few rows. */
const SEARCHED_ROWS = 10;
const PHONE_NUMBER = /^\+?[\d\s().\-/]{7,}$/;

/**
 * Returns the number of the row with the names of the columns, or null if the table begins with values. A row above it with
 * fewer cells is a title.
 */
export function findHeader(rows: readonly TableRow[]): number | null {
  const first = rows.slice(0, SEARCHED_ROWS);
  const width = Math.max(0, ...first.map(countCells));
  for (const row of first) {
    const cells = countCells(row);
    const isNamed = (cells > 1 || width === 1) && row.cells.some(isColumnName);
    if (!isNamed && cells <= width / 2) continue;
    return hasNumber(row) ? null : row.row;
  }
  return null;
}

const countCells = ({ cells }: TableRow): number =>
  cells.filter((cell) => cell.trim() !== '').length;

function isColumnName(cell: string): boolean {
  const kind = classifyHeader(cell);
  return kind !== 'unknown' && kind !== 'noPhone';
}

const hasNumber = ({ cells }: TableRow): boolean =>
  cells.some((cell) => splitNumbers(cell).some((each) => PHONE_NUMBER.test(each)));
