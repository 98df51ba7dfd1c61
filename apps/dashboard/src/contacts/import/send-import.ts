import type { ImportRefusal } from '@switchboard/contracts';
import { ApiError } from '../../api/api-error.ts';
import type { PlannedRow } from './plan/plan-import.ts';
import type { PlannedContact } from './plan/read-row.ts';

export interface ImportCounts {
  created: number;
  updated: number;
  kept: number;
}

export interface ImportOutcome extends ImportCounts {
  /** How many contacts have been sent: all, unless the person stopped the import. */
  sent: number;
  refused: { row: number; reason: ImportRefusal | 'invalid' }[];
}

export interface ImportProgress {
  sent: number;
  /** Whether the server limits requests at the moment. */
  isWaiting: boolean;
}

/** Imports a batch, and returns a result for each contact in its order. Throws an `ApiError`. */
export type ImportBatch = (contacts: PlannedContact[]) => Promise<{
  results: { result: keyof ImportCounts | 'refused'; reason: ImportRefusal | null }[];
}>;

export interface SendOptions {
  /** Ends the import after the current request. */
  signal: AbortSignal;
  onProgress(progress: ImportProgress): void;
}

/** The wait where the server limits requests without saying for how long. */
const DEFAULT_WAIT_MS = 5_000;
const MIN_WAIT_MS = 1_000;

/**
 * Imports contacts in batches. A failed or stopped import can be repeated, because contacts that it stored are
 * then treated as existing.
 */
export async function sendImport(
  importBatch: ImportBatch,
  batches: AsyncIterable<readonly PlannedRow[]>,
  options: SendOptions,
): Promise<ImportOutcome> {
  const { signal, onProgress } = options;
  const outcome: ImportOutcome = { created: 0, updated: 0, kept: 0, sent: 0, refused: [] };
  for await (const batch of batches) {
    if (signal.aborted) return outcome;
    await sendBatch(importBatch, batch, options, outcome);
    onProgress({ sent: outcome.sent, isWaiting: false });
  }
  return outcome;
}

/**
 * Sends a batch, and waits when the server limits requests. If the server refuses the batch as invalid, sends its halves, so
 * that a contact that this page takes for valid never blocks the others.
 */
async function sendBatch(
  importBatch: ImportBatch,
  batch: readonly PlannedRow[],
  options: SendOptions,
  outcome: ImportOutcome,
): Promise<void> {
  const { signal, onProgress } = options;
  try {
    const { results } = await importBatch(batch.map(({ contact }) => contact));
    for (const [index, { result, reason }] of results.entries()) {
      if (result !== 'refused') outcome[result] += 1;
      else outcome.refused.push({ row: batch[index]?.row ?? 0, reason: reason ?? 'invalid' });
    }
    outcome.sent += batch.length;
  } catch (error) {
    if (isInvalid(error)) {
      if (batch.length === 1) {
        outcome.refused.push({ row: batch[0]?.row ?? 0, reason: 'invalid' });
        outcome.sent += 1;
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await sendBatch(importBatch, batch.slice(0, half), options, outcome);
      return sendBatch(importBatch, batch.slice(half), options, outcome);
    }
    const waitMs = readWait(error);
    if (waitMs === null) throw error;
    onProgress({ sent: outcome.sent, isWaiting: true });
    await sleep(waitMs, signal);
    if (signal.aborted) return;
    onProgress({ sent: outcome.sent, isWaiting: false });
    return sendBatch(importBatch, batch, options, outcome);
  }
}

const isInvalid = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'invalid_params' || error.code === 'missing_params');

/** Returns how long to wait before the same request, or null if that would not help. */
function readWait(error: unknown): number | null {
  if (!(error instanceof ApiError)) return null;
  const { code, retryAfterMs } = error;
  if (code === 'rate_limited') return Math.max(MIN_WAIT_MS, retryAfterMs ?? DEFAULT_WAIT_MS);
  if (code !== 'service_unavailable' || retryAfterMs === null) return null;
  return Math.max(MIN_WAIT_MS, retryAfterMs);
}

/** Waits for the time, or until the signal. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
