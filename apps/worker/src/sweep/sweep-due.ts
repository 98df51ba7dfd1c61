import {
  type DispatchHint,
  type DispatchPolicy,
  type HintProducer,
  decideUnknown,
} from '@switchboard/core';
import type { DueMessage, MessageStore } from '@switchboard/database';
import { type Logger, type Tracer, endWith } from '@switchboard/runtime';
import type { SettleRow } from '../settle-row.ts';
import { startRowSpan, traceFields } from '../trace-row.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';

export interface SweepDueDependencies {
  store: Pick<MessageStore, 'takeDue'>;
  producer: Pick<HintProducer, 'enqueue'>;
  isQueueReachable(): boolean;
  /** Jobs of hints in the queue, and hints that wait in this process. */
  countPending(): number;
  settleRow: SettleRow;
  /** Follows a hint up in this process; false when it has too much to do already. */
  dispatchHere(hint: DispatchHint): boolean;
  /** Asks the provider about an unknown or unfinished message. */
  reconcile(row: DueMessage): boolean;
  policy: DispatchPolicy;
  /** For how long a row that was taken is left to this worker. */
  holdMs: number;
  concurrency: number;
  metrics: Pick<WorkerMetrics, 'swept' | 'directSends'>;
  tracer: Tracer | null;
  logger: Logger;
}

const PAGE_SIZE = 500;
/** Of one sweep; the rest is the next one's. */
const MOST_PAGES = 20;
/** With a long queue a hint may just be waiting its turn: that much longer it is given. */
const BACKLOG_GRACE_MS = 30_000;

/** Gives every row whose time has come to whom it needs. Safe to run in any number of workers. */
export function createSweepDue(deps: SweepDueDependencies) {
  const { store, metrics, logger } = deps;

  return async function sweepDue(): Promise<void> {
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const hasBacklog = deps.isQueueReachable() && deps.countPending() > deps.concurrency;
      const due = await store.takeDue({
        limit: PAGE_SIZE,
        readyGraceMs: hasBacklog ? BACKLOG_GRACE_MS : 0,
        holdMs: deps.holdMs,
      });
      for (const row of due) metrics.swept.inc({ state: stateOf(row, hasBacklog) });
      await handOut(due);
      if (due.length < PAGE_SIZE) return;
    }
  };

  async function handOut(due: readonly DueMessage[]): Promise<void> {
    const ready: DispatchHint[] = [];
    const expired: DueMessage[] = [];
    for (const row of due) {
      switch (row.dispatch) {
        case 'ready':
          // What a hint has missed, or was too early for.
          startRowSpan(deps.tracer, 'hint again', row)?.end();
          ready.push({ messageId: row.id, workspaceId: row.workspaceId, requestId: row.requestId });
          break;
        case 'inflight':
          expired.push(row);
          break;
        case 'unknown':
        case 'accepted':
          // Refused when there is too much of it: the row is due again after the hold.
          deps.reconcile(row);
          break;
        case 'rejected':
        case 'unresolved':
        case 'canceled':
          logger.error(
            { message_id: row.id, state: row.dispatch },
            'a finished row is owed a look',
          );
          break;
      }
    }
    await Promise.all([hint(ready), ...expired.map(markUnknown)]);
  }

  async function hint(hints: readonly DispatchHint[]): Promise<void> {
    if (hints.length === 0) return;
    if (deps.isQueueReachable()) {
      try {
        await deps.producer.enqueue(hints);
        return;
      } catch (error) {
        logger.warn({ err: error, count: hints.length }, 'hints could not be queued');
      }
    }
    for (const one of hints) if (deps.dispatchHere(one)) metrics.directSends.inc();
  }

  async function markUnknown(row: DueMessage): Promise<void> {
    const log = logger.child({
      request_id: row.requestId,
      message_id: row.id,
      workspace_id: row.workspaceId,
      attempt: row.attempt,
      ...traceFields(row),
    });
    const detail = 'The worker did not report what the provider call came to';
    const settling = deps.settleRow(
      row.id,
      (now) => decideUnknown(now, row.attempt, detail, deps.policy),
      { known: row, retryForMs: 0, log },
    );
    const settled = await endWith(startRowSpan(deps.tracer, 'end lease', row), settling);
    if (settled?.kind === 'changed') log.warn('a lease ran out, the outcome is unknown');
  }
}

/** A new message is the sweeper's because its hint did not come; or, behind a backlog, not yet. */
function stateOf({ dispatch, isPostponed }: DueMessage, hasBacklog: boolean) {
  return dispatch === 'ready' && (isPostponed || hasBacklog) ? 'postponed' : dispatch;
}
