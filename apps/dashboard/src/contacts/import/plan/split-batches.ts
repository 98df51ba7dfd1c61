import { IMPORTED_CONTACTS_MAX } from '@switchboard/contracts';
import type { PlannedRow } from './plan-import.ts';

/** Below the limit of a request body, with space for the rest of the request. */
const BATCH_BYTES = 48_000;

/** Splits rows into batches that fit into a request. */
export function splitBatches(rows: readonly PlannedRow[]): PlannedRow[][] {
  const encoder = new TextEncoder();
  const batches: PlannedRow[][] = [];
  let batch: PlannedRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = encoder.encode(JSON.stringify(row.contact)).length;
    if (batch.length === IMPORTED_CONTACTS_MAX || bytes + size > BATCH_BYTES) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(row);
    bytes += size;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}
