import { IMPORTED_CONTACTS_MAX, type ImportRefusal } from '@switchboard/contracts';
import type { Api } from '../../api/create-api.ts';
import type { PlannedContact } from './plan-import.ts';

/** Below the limit of a request body, with space for the rest of the request. */
const BATCH_BYTES = 48_000;

export interface ImportCounts {
  created: number;
  updated: number;
  kept: number;
}

export interface ImportOutcome extends ImportCounts {
  refused: { number: string; reason: ImportRefusal }[];
}

/**
 * Imports contacts in batches. A failed import can be repeated, because contacts that it stored are
 * then treated as existing.
 *
 * @param onProgress receives the number of contacts that have been sent
 */
export async function sendImport(
  api: Api,
  workspaceId: string,
  contacts: readonly PlannedContact[],
  options: {
    existing: 'keep' | 'update';
    isDryRun: boolean;
    onProgress?(sent: number): void;
  },
): Promise<ImportOutcome> {
  const outcome: ImportOutcome = { created: 0, updated: 0, kept: 0, refused: [] };
  let sent = 0;
  for (const batch of splitBatches(contacts)) {
    const { results } = await api.request('POST /api/ui/workspaces/{workspaceId}/contacts/import', {
      params: { workspaceId },
      body: { contacts: batch, existing: options.existing, dry_run: options.isDryRun },
    });
    for (const { number, result, reason } of results) {
      if (result !== 'refused') outcome[result] += 1;
      else if (reason !== null) outcome.refused.push({ number, reason });
    }
    sent += batch.length;
    options.onProgress?.(sent);
  }
  return outcome;
}

function splitBatches(contacts: readonly PlannedContact[]): PlannedContact[][] {
  const batches: PlannedContact[][] = [];
  let batch: PlannedContact[] = [];
  let bytes = 0;
  for (const contact of contacts) {
    const size = new TextEncoder().encode(JSON.stringify(contact)).length;
    if (batch.length === IMPORTED_CONTACTS_MAX || bytes + size > BATCH_BYTES) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(contact);
    bytes += size;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}
