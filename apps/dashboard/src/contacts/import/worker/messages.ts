import type { ColumnUse } from '../columns/column.ts';
import type { NumberRules } from '../plan/read-number.ts';
import type { Importer } from './create-importer.ts';

/** A call of the importer in the worker. */
export type WorkerCall = { id: number } & (
  | { name: 'open'; parameters: Parameters<Importer['open']> }
  | { name: 'read'; parameters: Parameters<Importer['read']> }
  | { name: 'plan'; parameters: [uses: readonly ColumnUse[], rules: NumberRules] }
  | { name: 'batch'; parameters: Parameters<Importer['batch']> }
);

/** The result of a call, or the number of rows that it has planned so far. */
export type WorkerMessage =
  | { id: number; result: unknown }
  | { id: number; rows: number }
  | { id: number; error: string };
