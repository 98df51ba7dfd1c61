import { type ApplyResult, type Change, GATHER_WHEN_BUSY } from '@switchboard/core';
import { classifySqlError, isBlocked, isUniqueViolation } from '../../sql-error.ts';
import type { EventWriter } from '../events/event-numbering.ts';
import { type Table, applyChanges } from './apply-changes.ts';
import { createIsolatedBatch } from '../../isolated-batch.ts';

export type ApplyChange = (change: Change) => Promise<ApplyResult>;

type Attempted = ApplyResult | { kind: 'failed'; error: unknown };

/**
 * Writes changes to messages, many in one statement. A refused or blocked change does not make the
 * others fail, and does not delay other workspaces.
 */
export function createApplyChange(writer: EventWriter): ApplyChange {
  const batchOf = (table: Table) =>
    createIsolatedBatch<Change, Attempted>({
      workspaceOf: ({ workspaceId }) => workspaceId,
      maxSize: 500,
      concurrency: 1,
      maxWaiting: 20_000,
      gather: GATHER_WHEN_BUSY,
      isCausedByOne: (error) => isBlocked(error) || isRefused(error),
      async run(changes, { lockTimeoutMs, isAlone }) {
        // If a batch has two changes of one row, the second one was decided on an outdated row.
        const first = new Map<string, Change>();
        for (const change of changes) if (!first.has(change.id)) first.set(change.id, change);
        const unique = [...first.values()];
        const results = await writeAll(table, unique, lockTimeoutMs, isAlone);
        const byChange = new Map(unique.map((change, index) => [change, results[index]]));
        return changes.map((change) => byChange.get(change) ?? { kind: 'stale' });
      },
    });
  const addToProgress = batchOf('message_progress');
  // Rare, so that the others need not look for their rows in two tables.
  const addToRecords = batchOf('message_records');

  async function writeAll(
    table: Table,
    changes: readonly Change[],
    lockTimeoutMs: number,
    isAlone: boolean,
  ): Promise<Attempted[]> {
    try {
      return await applyChanges(writer, table, changes, lockTimeoutMs);
    } catch (error) {
      if (!isAlone || !isRefused(error)) throw error;
    }
    const results: Attempted[] = [];
    for (const change of changes) results.push(await writeOne(table, change, lockTimeoutMs));
    return results;
  }

  /** Never throws, because the earlier changes are written and must not be repeated. */
  async function writeOne(table: Table, change: Change, lockTimeoutMs: number): Promise<Attempted> {
    try {
      const [result] = await applyChanges(writer, table, [change], lockTimeoutMs);
      return result ?? { kind: 'stale' };
    } catch (error) {
      return isUniqueViolation(error) ? { kind: 'sid_taken' } : { kind: 'failed', error };
    }
  }

  return async function applyChange(change) {
    const result = await (change.wasInProgress ? addToProgress(change) : addToRecords(change));
    if (result.kind === 'failed') throw result.error;
    return result;
  };
}

/** Returns whether PostgreSQL refused the data of a row. */
export function isRefused(error: unknown): boolean {
  return classifySqlError(error) === 'bad_row';
}
