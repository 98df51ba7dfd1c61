import { setTimeout as pause } from 'node:timers/promises';
import {
  type BusNotice,
  type ChangeStore,
  type Decision,
  type DispatchPolicy,
  type DispatchRow,
  type LearnedIdentifier,
  type Reach,
  type Settled,
  mergeEvidence,
  settleMessage,
} from '@switchboard/core';
import type { OrphanCallbackStore } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { ReportDuplicate } from './report-duplicate.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

export interface SettleOptions {
  /** The row as it was just read; spares the first read. */
  known: DispatchRow | null;
  /** Default `workspace`. */
  reach?: Reach;
  /** For how long a write that fails is repeated. 0: it is tried once. */
  retryForMs: number;
  log: Logger;
}

/** Null when the database stayed away for the whole of the time allowed; that has been logged. */
export type SettleRow = (
  id: string,
  decide: (row: DispatchRow) => Decision,
  options: SettleOptions,
) => Promise<Settled | null>;

export interface SettleRowDependencies {
  store: ChangeStore;
  reportDuplicate: ReportDuplicate;
  orphans: Pick<OrphanCallbackStore, 'take'>;
  publishLater(notice: BusNotice): void;
  policy: DispatchPolicy;
  metrics: Pick<WorkerMetrics, 'orphansMerged' | 'failedWrites'>;
}

const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 2_000;

/** Writes a decision about a row, whatever it takes, and tells the world. Never throws. */
export function createSettleRow(deps: SettleRowDependencies): SettleRow {
  const { store, orphans, publishLater, policy, metrics } = deps;

  const settleRow: SettleRow = async (id, decide, options) => {
    const deadline = performance.now() + options.retryForMs;
    let { known } = options;
    const { reach = 'workspace' } = options;
    for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)) {
      try {
        const settled = await settleMessage(store, id, decide, policy, { known, reach });
        if (settled.kind === 'changed') {
          for (const notice of settled.notices) publishLater(notice);
          if (settled.learned !== null) await mergeOrphans(id, settled.learned, options.log);
        }
        if (settled.kind === 'duplicate') await reportDuplicate(settled, options.log);
        return settled;
      } catch (error) {
        metrics.failedWrites.inc();
        if (performance.now() + retryMs > deadline) {
          options.log.error({ err: error }, 'a change could not be written');
          return null;
        }
        options.log.warn({ err: error, retry_ms: retryMs }, 'a change could not be written yet');
        // What failed may be written all the same: the next round decides on what it then reads.
        known = null;
        await pause(retryMs);
      }
    }
  };

  async function reportDuplicate(
    { row, sid }: Extract<Settled, { kind: 'duplicate' }>,
    log: Logger,
  ): Promise<void> {
    const account = row.providerAccount;
    const holder = account === null ? null : await store.findRowByProviderSid(account, sid);
    // Of two equal texts each may hold the other's identifier; then nothing went out twice.
    if (holder !== null) return;
    await deps.reportDuplicate(row, sid, log);
  }

  /** What callbacks said of the identifier before any row held it. */
  async function mergeOrphans(id: string, learned: LearnedIdentifier, log: Logger): Promise<void> {
    try {
      for (const callback of await orphans.take(learned.account, learned.sid)) {
        metrics.orphansMerged.inc();
        await settleRow(id, (row) => mergeEvidence(row, callback, policy), {
          known: null,
          retryForMs: LONGEST_RETRY_MS,
          log,
        });
      }
    } catch (error) {
      // The identifier is written. What the callbacks said, a poll will say again.
      log.warn({ err: error, provider_sid: learned.sid }, 'kept callbacks could not be read');
    }
  }

  return settleRow;
}
