import { type DispatchHint, type DispatchPolicy, decideUnknown } from '@switchboard/core';
import type { DueMessage, MessageStore, TakeDueOptions } from '@switchboard/database';
import { type Logger, type Tracer, endWith } from '@switchboard/runtime';
import { startRowSpan, traceFields } from '../trace-row.ts';
import type { TryTransition } from '../try-transition.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';

type Room = Pick<TakeDueOptions, 'limit' | 'room' | 'roomOfOthers'>;

export interface SweepDueDependencies {
  store: Pick<MessageStore, 'takeDue'>;
  isQueueReachable(): boolean;
  /** Jobs of hints in the queue, and hints that wait in this process. */
  countPending(): number;
  transition: TryTransition;
  /** How much of what is ready, and of what must be asked after, this process has room for. */
  dispatchRoom(): Room;
  reconcileRoom(): Room;
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

/** Of one statement: each row that is taken costs an update. */
const PAGE_SIZE = 500;
/** Of one sweep; the rest is the next one's. */
const MOST_PAGES = 10;
/** Nearly every workspace has messages that wait for their last status, and no poll is urgent. */
const SWEEPS_TO_POLLS = 5;
const UNKNOWN = { dispatch: 'unknown', isNew: false, graceMs: 0 } as const;
/** With a long queue a hint may just be waiting its turn: that much longer it is given. */
const BACKLOG_GRACE_MS = 30_000;

/** Gives every row whose time has come to what it needs. Safe to run in any number of workers. */
export function createSweepDue(deps: SweepDueDependencies) {
  const { store, metrics, logger } = deps;
  let sweeps = 0;
  let asksForPolls = true;

  return async function sweepDue(): Promise<void> {
    asksForPolls = sweeps % SWEEPS_TO_POLLS === 0;
    sweeps += 1;
    await takePages(takeReady);
    await takePages(takeExpired);
    await takePages(takeOpen);
  };

  /** Goes on while full pages come, so that a backlog is not worked off by one page a sweep. */
  async function takePages(take: () => Promise<number>): Promise<void> {
    for (let page = 0; page < MOST_PAGES; page += 1) {
      if ((await take()) < PAGE_SIZE / 2) return;
    }
  }

  async function takeReady(): Promise<number> {
    const isReachable = deps.isQueueReachable();
    const hasBacklog = isReachable && deps.countPending() > deps.concurrency;
    const rows = await store.takeDue({
      kinds: [
        { dispatch: 'ready', isNew: true, graceMs: hasBacklog ? BACKLOG_GRACE_MS : 0 },
        { dispatch: 'ready', isNew: false, graceMs: 0 },
      ],
      ...bound(deps.dispatchRoom()),
    });
    for (const row of rows) {
      metrics.swept.inc({ state: stateOf(row, hasBacklog) });
      // What a hint has missed, or was too early for.
      startRowSpan(deps.tracer, 'hint again', row)?.end();
      const { id: messageId, workspaceId, requestId } = row;
      const isTaken = deps.dispatchHere({ messageId, workspaceId, requestId });
      if (isTaken && !isReachable) metrics.directSends.inc();
    }
    return rows.length;
  }

  async function takeExpired(): Promise<number> {
    const rows = await store.takeDue({
      kinds: [{ dispatch: 'inflight', isNew: false, graceMs: 0 }],
      ...bound({ limit: PAGE_SIZE, room: new Map(), roomOfOthers: PAGE_SIZE }),
    });
    metrics.swept.inc({ state: 'inflight' }, rows.length);
    await Promise.all(rows.map(markUnknown));
    return rows.length;
  }

  async function takeOpen(): Promise<number> {
    const rows = await store.takeDue({
      kinds: asksForPolls ? [UNKNOWN, { ...UNKNOWN, dispatch: 'accepted' }] : [UNKNOWN],
      ...bound(deps.reconcileRoom()),
    });
    for (const row of rows) {
      metrics.swept.inc({ state: row.dispatch });
      deps.reconcile(row);
    }
    return rows.length;
  }

  function bound(room: Room): Room & { holdMs: number } {
    return { ...room, limit: Math.min(room.limit, PAGE_SIZE), holdMs: deps.holdMs };
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
    const writing = deps.transition(
      row,
      (now) => decideUnknown(now, row.attempt, detail, deps.policy),
      { log },
    );
    const result = await endWith(startRowSpan(deps.tracer, 'end lease', row), writing);
    if (result?.kind === 'changed') log.warn('lease expired, the outcome is unknown');
  }
}

/** A new message is the sweeper's because its hint did not come; or, behind a backlog, not yet. */
function stateOf({ isPostponed }: DueMessage, hasBacklog: boolean): 'ready' | 'postponed' {
  return isPostponed || hasBacklog ? 'postponed' : 'ready';
}
