import Papa from 'papaparse';

/** A row of the table as a spreadsheet shows it. */
export interface TableRow {
  /** The number of the row in a spreadsheet, from 1. */
  row: number;
  cells: readonly string[];
}

/** A row that is not read, because its cells may belong to other columns or contain other rows. */
export type BrokenRow = { row: number } & (
  | { kind: 'openQuote' }
  /** A row near the open quote of an earlier row. */
  | { kind: 'nearOpenQuote'; quoteRow: number }
);

export interface CsvTable {
  rows: TableRow[];
  broken: BrokenRow[];
}

export interface CsvOptions {
  delimiter: string;
  /** How many cells most rows have, or null if that is unknown. */
  columns: number | null;
  /** The parsing ends after one row more. */
  maxRows: number;
}

/** When open quotes have swallowed the file as many times, a quote is a character like others. */
const MAX_PASSES = 5;
/** Small files are read as often as necessary. */
const FREE_CHARACTERS = 1_000_000;
const PHONE_DIGITS = 7;

/**
 * Parses a CSV text with the line breaks `\n`. Skips empty rows, and counts them.
 *
 * A quote that is not closed, or closed within a later row, makes a parser read whole rows as one cell. Such a quote
 * breaks only its own line: the rows after it are read again from their beginning. Those that the quote had swallowed are
 * accepted only if they are complete and have no quotes, since they may as well be lines of a long cell.
 */
export function parseCsv(text: string, { delimiter, columns, maxRows }: CsvOptions): CsvTable {
  const table: CsvTable = { rows: [], broken: [] };
  let swallowed = 0;
  let row = 0;
  let quoteRow = 0;
  /** Where the rows end that an open quote has swallowed. */
  let swallowedTo = 0;

  /** Reads one record. Returns whether it is whole. */
  function read(raw: string, start: number, cells: readonly string[], hasErrors: boolean): boolean {
    const isOpen = hasErrors || containsRows(raw, { delimiter, columns });
    row += 1;
    if (isOpen) {
      swallowed += raw.length;
      quoteRow = row;
      table.broken.push({ row, kind: 'openQuote' });
      swallowedTo = Math.max(swallowedTo, start + raw.length);
    } else if (cells.some((cell) => cell.trim() !== '')) {
      const isComplete = columns === null || cells.length === columns;
      const isDoubtful = start < swallowedTo && (!isComplete || raw.includes('"'));
      if (isDoubtful) table.broken.push({ row, kind: 'nearOpenQuote', quoteRow });
      else table.rows.push({ row, cells });
    }
    return !isOpen;
  }

  let at = 0;
  while (at < text.length && table.rows.length <= maxRows) {
    const rest = text.slice(at);
    let start = 0;
    let openAt = -1;
    const parser = new Papa.Parser({
      delimiter,
      newline: '\n',
      ...(swallowed > MAX_PASSES * text.length + FREE_CHARACTERS && { fastMode: true }),
      step: ({ data, errors, meta }: Papa.ParseStepResult<string[][]>) => {
        const raw = rest.slice(start, meta.cursor);
        const isWhole = read(raw, at + start, data[0] ?? [], errors.length > 0);
        if (!isWhole) openAt = start;
        start = meta.cursor;
        if (!isWhole || table.rows.length > maxRows) parser.abort();
      },
    });
    parser.parse(rest, 0, false);
    if (openAt < 0) break;
    const lineEnd = rest.indexOf('\n', openAt);
    if (lineEnd < 0) break;
    at += lineEnd + 1;
  }
  return table;
}

/** Returns whether every line of a record with several lines is a row by itself, with a phone number. */
function containsRows(raw: string, { delimiter, columns }: Omit<CsvOptions, 'maxRows'>): boolean {
  const lines = raw.replace(/\n$/, '').split('\n');
  if (lines.length < 2 || columns === null || columns < 2) return false;
  return lines.every((line) => {
    const cells = line.split(delimiter);
    return (
      cells.length === columns &&
      cells.some((cell) => cell.replaceAll(/\D/g, '').length >= PHONE_DIGITS)
    );
  });
}
