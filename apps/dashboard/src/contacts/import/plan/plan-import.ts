import type { Table } from '../file/read-table.ts';
import { toDigits } from '@switchboard/contracts';
import { type PlannedContact, type RowOptions, readRow } from './read-row.ts';
import type { SkippedRow } from './skip-reason.ts';

export interface PlannedRow {
  row: number;
  contact: PlannedContact;
}

/** What a number of the file became. */
export interface NumberReading {
  row: number;
  text: string;
  number: string;
  /** Whether digits or the plus sign of the text are others than those of the number. */
  isChanged: boolean;
}

export interface ImportPlan {
  contacts: PlannedRow[];
  skipped: SkippedRow[];
  readings: NumberReading[];
}

export interface PlanOptions extends RowOptions {
  /** Called after each part of the rows with the number of rows so far. The promise lets other work run. */
  onPart(rows: number): Promise<void>;
}

const ROWS_PER_PART = 500;

/** Reads the rows of a table. Each is either a valid contact or skipped with a reason. */
export async function planImport(table: Table, options: PlanOptions): Promise<ImportPlan> {
  const rowOf = new Map<string, number>();
  const plan: ImportPlan = {
    contacts: [],
    skipped: table.skipped.map(({ row, ...reason }) => ({ row, reason })),
    readings: [],
  };
  for (const [index, { row, cells }] of table.rows.entries()) {
    if (index % ROWS_PER_PART === 0) await options.onPart(index);
    const result = readRow(cells, options);
    if ('kind' in result) {
      plan.skipped.push({ row, reason: result });
      continue;
    }
    const { contact, numbers } = result;
    const earlierRow = rowOf.get(contact.number);
    if (earlierRow !== undefined) {
      plan.skipped.push({ row, reason: { kind: 'sameNumber', earlierRow } });
      continue;
    }
    rowOf.set(contact.number, row);
    plan.contacts.push({ row, contact });
    for (const { text, number } of numbers) {
      plan.readings.push({ row, text, number, isChanged: !isSame(text, number) });
    }
  }
  plan.skipped.sort((a, b) => a.row - b.row);
  return plan;
}

function isSame(text: string, number: string): boolean {
  const written = toDigits(text);
  return written?.hasPlus === true && `+${written.digits}` === number;
}
