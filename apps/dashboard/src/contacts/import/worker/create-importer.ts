import type { Column, ColumnUse } from '../columns/column.ts';
import { describeColumns } from '../columns/describe-columns.ts';
import { guessColumns } from '../columns/guess-columns.ts';
import type { Detected, FileChoices } from '../file/file-choices.ts';
import { type FileProblem, type Table, readTable } from '../file/read-table.ts';
import { type NumberReading, type PlannedRow, planImport } from '../plan/plan-import.ts';
import { type NumberRules, createReadNumber } from '../plan/read-number.ts';
import type { SkippedRow } from '../plan/skip-reason.ts';
import { splitBatches } from '../plan/split-batches.ts';

/** What a person sees of a table before the import is planned. */
export interface TableSummary {
  kind: 'table';
  detected: Detected;
  columns: Column[];
  uses: ColumnUse[];
  rows: number;
}

/** A plan without its contacts, which stay here. */
export interface PlanSummary {
  contacts: number;
  batches: number;
  skipped: SkippedRow[];
  skippedRows: number;
  /** The numbers of the first contacts, and those whose digits changed. */
  readings: NumberReading[];
  changedNumbers: number;
  /** Rows that are skipped because their digits may be several numbers. */
  ambiguousRows: number;
}

/** Whose file it is: what is probable in it. */
export interface Person {
  language: string;
  /** The country of the workspace, ISO 3166 alpha-2; null if it is unknown. */
  country: string | null;
}

/** Reads files and plans imports. All calls are messages to a web worker, so that a large file never stops the page. */
export interface Importer {
  /** Reads the file. Replaces the earlier one. */
  open(file: Blob, person: Person): Promise<TableSummary | FileProblem>;
  /** Reads the same file in another way. */
  read(choices: FileChoices): Promise<TableSummary | FileProblem>;
  /** Plans the import of the table. Ends with null when a newer call has replaced it. */
  plan(
    uses: readonly ColumnUse[],
    rules: NumberRules,
    onRows: (rows: number) => void,
  ): Promise<PlanSummary | null>;
  /** Returns a batch of the plan. */
  batch(index: number): Promise<PlannedRow[]>;
}

/** No list on the page is longer. */
const SHOWN_SKIPPED = 100;
const SHOWN_FIRST = 5;
const SHOWN_CHANGED = 500;

export function createImporter(): Importer {
  let bytes = new Uint8Array();
  let person: Person = { language: 'en', country: null };
  let table: Table | null = null;
  let columns: Column[] = [];
  let batches: PlannedRow[][] = [];
  let calls = 0;

  function summarize(choices: FileChoices): TableSummary | FileProblem {
    calls += 1;
    const result = readTable(bytes, choices, person.language);
    if ('kind' in result) return result;
    table = result;
    columns = describeColumns(result.headers, result.rows);
    const readNumber = createReadNumber({ country: person.country, ambiguous: 'skip' });
    const isPhone = (text: string): boolean => readNumber(text) !== 'invalid';
    return {
      kind: 'table',
      detected: result.detected,
      columns,
      uses: guessColumns(columns, result.rows, isPhone),
      rows: result.rows.length,
    };
  }

  return {
    async open(file, given) {
      bytes = new Uint8Array(await file.arrayBuffer());
      person = given;
      return summarize({ encoding: null, delimiter: null, headerRow: null });
    },
    read: async (choices) => summarize(choices),
    async plan(uses, rules, onRows) {
      if (table === null) return null;
      calls += 1;
      const call = calls;
      const onPart = async (rows: number): Promise<void> => {
        onRows(rows);
        await new Promise((resolve) => setTimeout(resolve));
        if (call !== calls) throw new Superseded();
      };
      const readNumber = createReadNumber(rules);
      try {
        const plan = await planImport(table, { columns, uses, readNumber, onPart });
        batches = splitBatches(plan.contacts);
        const changed = plan.readings.filter(({ isChanged }) => isChanged);
        const first = plan.readings.slice(0, SHOWN_FIRST).filter(({ isChanged }) => !isChanged);
        return {
          contacts: plan.contacts.length,
          batches: batches.length,
          skipped: plan.skipped.slice(0, SHOWN_SKIPPED),
          skippedRows: plan.skipped.length,
          readings: [...first, ...changed.slice(0, SHOWN_CHANGED)],
          changedNumbers: changed.length,
          ambiguousRows: plan.skipped.filter(({ reason }) => reason.kind === 'ambiguousNumber')
            .length,
        };
      } catch (error) {
        if (error instanceof Superseded) return null;
        throw error;
      }
    },
    batch: async (index) => batches[index] ?? [],
  };
}

/** A newer call has replaced the plan. */
class Superseded extends Error {}
