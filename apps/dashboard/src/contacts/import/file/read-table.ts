import { findHeader } from '../columns/find-header.ts';
import { detectEncoding } from './detect-encoding.ts';
import { decode } from './encodings.ts';
import { type Detected, type FileChoices, MAX_ROWS } from './file-choices.ts';
import { type OtherFileType, findFileType } from './find-file-type.ts';
import { type BrokenRow, type TableRow, parseCsv } from './parse-csv.ts';
import { readLayout } from './read-layout.ts';

/** Why a file is not imported at all. */
export type FileProblem =
  | { kind: 'empty' }
  | { kind: 'openQuotes'; row: number }
  | { kind: 'tooManyRows' }
  | { kind: OtherFileType };

export type SkippedCells =
  | BrokenRow
  | { row: number; kind: 'moreCells'; cells: number; columns: number };

export interface Table {
  detected: Detected;
  headers: string[];
  rows: TableRow[];
  skipped: SkippedCells[];
}

/** Reads the bytes of a file as a table, or returns why it is none. */
export function readTable(
  bytes: Uint8Array<ArrayBuffer>,
  choices: FileChoices,
  language: string,
): Table | FileProblem {
  const type = findFileType(bytes);
  if (type !== null) return { kind: type };
  const encoding = choices.encoding ?? detectEncoding(bytes, language);
  const { delimiter, columns, text } = readLayout(decode(bytes, encoding), choices.delimiter);
  const { rows, broken } = parseCsv(text, { delimiter, columns, maxRows: MAX_ROWS + 1 });
  if (rows.length > MAX_ROWS + 1) return { kind: 'tooManyRows' };
  const headerRow = choices.headerRow ?? findHeader(rows) ?? 'none';
  const header = rows.find(({ row }) => row === headerRow)?.cells ?? [];
  const values = rows.filter(({ row }) => headerRow === 'none' || row > headerRow);
  if (values.length === 0) {
    const [first] = broken;
    return first === undefined ? { kind: 'empty' } : { kind: 'openQuotes', row: first.row };
  }
  const width = headerRow === 'none' ? columns : findWidth(header, values);
  const headers = Array.from({ length: width }, (_, at) => header[at] ?? '');
  const isTooLong = ({ cells }: TableRow): boolean => lastFilled(cells) >= width;
  const long = values.filter(isTooLong).map(({ row, cells }) => ({
    row,
    kind: 'moreCells' as const,
    cells: lastFilled(cells) + 1,
    columns: width,
  }));
  return {
    detected: { encoding, delimiter, headerRow },
    headers,
    rows: values.filter((row) => !isTooLong(row)),
    skipped: [...broken, ...long],
  };
}

const lastFilled = (cells: readonly string[]): number =>
  cells.findLastIndex((cell) => cell.trim() !== '');

/** Returns the number of columns without the empty ones at the end, of which a spreadsheet may write thousands. */
function findWidth(header: readonly string[], rows: readonly TableRow[]): number {
  const filled = rows.reduce((most, { cells }) => Math.max(most, lastFilled(cells) + 1), 0);
  return Math.max(lastFilled(header) + 1, Math.min(filled, header.length));
}
