import { DELIMITERS, type Delimiter } from './file-choices.ts';
import { parseCsv } from './parse-csv.ts';

/** Where the cells of a text are. */
export interface Layout {
  delimiter: Delimiter;
  /** How many cells most rows have. */
  columns: number;
  /** The text of the table, with the line breaks `\n` and without the line `sep=;`. */
  text: string;
}

const SAMPLE_CHARACTERS = 65_536;
const SAMPLE_ROWS = 50;
/** Excel reads the delimiter from this first line, and shows the table without it. */
const DECLARATION = /^"?sep=(.)"?[ \t]*(\n|$)/i;

/**
 * Finds the delimiter: the one of `sep=`, else the one that splits most rows into the same number of cells. A title
 * above the table, or a comma in an address, does not change the result.
 */
export function readLayout(content: string, chosen: Delimiter | null): Layout {
  const lines = content.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const [declaration = '', declared] = DECLARATION.exec(lines) ?? [];
  const text = lines.slice(declaration.length);
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const candidates = DELIMITERS.map((delimiter) => ({
    delimiter,
    ...countCells(sample, delimiter),
  }));
  const named = candidates.find(({ delimiter }) => delimiter === (chosen ?? declared));
  const { delimiter, columns } =
    named ?? candidates.reduce((best, each) => (isBetter(each, best) ? each : best));
  return { delimiter, columns, text };
}

interface CellCount {
  /** The most frequent number of cells, of rows with several. */
  columns: number;
  /** How many rows have it. */
  rows: number;
}

const isBetter = (one: CellCount, other: CellCount): boolean =>
  one.rows > other.rows || (one.rows === other.rows && one.columns > other.columns);

function countCells(sample: string, delimiter: Delimiter): CellCount {
  const counts = new Map<number, number>();
  const { rows } = parseCsv(sample, { delimiter, columns: null, maxRows: SAMPLE_ROWS });
  for (const { cells } of rows) {
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  }
  return [...counts]
    .map(([columns, times]) => ({ columns, rows: times }))
    .reduce((best, each) => (isBetter(each, best) ? each : best), { columns: 1, rows: 0 });
}
