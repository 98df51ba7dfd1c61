import { type DispatchHint, type DispatchPolicy, decideUnknown } from '@switchboard/core';
import type { DueMessage, MessageStore, TakeDueOptions } from '@switchboard/database';
import { type Logger, type Tracer, endWith } from '@switchboard/runtime';
import { startRowSpan, traceFields } from '../trace-row.ts';
import type { TryTransition } from '../try-transition.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';

type Capacity = Pick<TakeDueOptions, 'limit' | 'capacities' | 'capacityOfOthers'>;

export interface SweepDueDependencies {
  store: Pick<MessageStore, 'takeDue'>;
  isQueueReachable(): boolean;
  /** Jobs of hints in the queue, and hints that wait in this process. */
  countPending(): number;
  transition: TryTransition;
  /** Returns the capacity of this process: for ready messages, and for lookups and polls. */
  dispatchCapacity(): Capacity;
  reconcileCapacity(): Capacity;
  /** Processes a hint in this process; false if its queue is full. */
  dispatchHere(hint: DispatchHint): boolean;
  /** Looks up or polls a message with an unknown or unfinished state. */
  reconcile(row: DueMessage): boolean;
  policy: DispatchPolicy;
  /** For how long other workers skip a row that this worker has taken. */
  holdMs: number;
  concurrency: number;
  metrics: Pick<WorkerMetrics, 'swept' | 'directSends'>;
  tracer: Tracer | null;
  logger: Logger;
}

/** Maximum number of rows per statement; each row costs an update. */
const PAGE_SIZE = 500;
/** Maximum number of rows per sweep; the next sweep takes the rest. */
const MAX_PAGES = 10;
/** Almost every workspace has messages without a final status, and polls are not urgent. */
const SWEEPS_PER_POLL = 5;
const UNKNOWN = { dispatch: 'unknown', isNew: false, graceMs: 0 } as const;
/** Extra time for hints when the queue is long, because a hint may still be waiting in it. */
const BACKLOG_GRACE_MS = 30_000;
/**
 * How many messages a sweep takes, after that time, from a workspace whose hints arrive from a long
 * queue. The queue keeps the order of a workspace, so a message without a hint is soon one of its
 * oldest. The other messages still have their hints: taking them costs one update each, and one
 * claim that finds the message already sent.
 */
const MAX_OF_BACKLOG = 100;

/**
 * Finds all due rows and starts the next step of each: dispatch, lookup, poll or the end of its
 * lease. Safe to run in any number of workers.
 */
export function createSweepDue(dependencies: SweepDueDependencies) {
  const { store, metrics, logger } = dependencies;
  let sweeps = 0;
  let includesPolls = true;

  return async function sweepDue(): Promise<void> {
    includesPolls = sweeps % SWEEPS_PER_POLL === 0;
    sweeps += 1;
    await takePages(takeReady);
    await takePages(takeExpired);
    await takePages(takeOpen);
  };

  /** Continues while pages are full, so that a backlog is not limited to one page per sweep. */
  async function takePages(take: () => Promise<number>): Promise<void> {
    for (let page = 0; page < MAX_PAGES; page += 1) {
      if ((await take()) < PAGE_SIZE / 2) return;
    }
  }

  async function takeReady(): Promise<number> {
    const isReachable = dependencies.isQueueReachable();
    const hasBacklog = isReachable && dependencies.countPending() > dependencies.concurrency;
    const postponed = { dispatch: 'ready', isNew: false, graceMs: 0 } as const;
    if (!hasBacklog) {
      const all = [{ ...postponed, isNew: true }, postponed];
      return dispatchDue(all, dependencies.dispatchCapacity(), { isReachable, hasBacklog });
    }
    const behind = { ...postponed, isNew: true, graceMs: BACKLOG_GRACE_MS };
    const how = { isReachable, hasBacklog };
    const count = await dispatchDue([postponed], dependencies.dispatchCapacity(), how);
    return (
      count + (await dispatchDue([behind], leaveBacklog(dependencies.dispatchCapacity()), how))
    );
  }

  async function dispatchDue(
    kinds: TakeDueOptions['kinds'],
    capacity: Capacity,
    { isReachable, hasBacklog }: { isReachable: boolean; hasBacklog: boolean },
  ): Promise<number> {
    const rows = await store.takeDue({ kinds, ...bound(capacity) });
    for (const row of rows) {
      metrics.swept.inc({ state: stateOf(row, hasBacklog) });
      // Rows whose hint was lost or arrived too early.
      startRowSpan(dependencies.tracer, 'queue hint again', row)?.end();
      const { id: messageId, workspaceId, requestId } = row;
      const isAccepted = dependencies.dispatchHere({ messageId, workspaceId, requestId });
      if (isAccepted && !isReachable) metrics.directSends.inc();
    }
    return rows.length;
  }

  async function takeExpired(): Promise<number> {
    const rows = await store.takeDue({
      kinds: [{ dispatch: 'inflight', isNew: false, graceMs: 0 }],
      ...bound({ limit: PAGE_SIZE, capacities: new Map(), capacityOfOthers: PAGE_SIZE }),
    });
    metrics.swept.inc({ state: 'inflight' }, rows.length);
    await Promise.all(rows.map(markUnknown));
    return rows.length;
  }

  async function takeOpen(): Promise<number> {
    const rows = await store.takeDue({
      kinds: includesPolls ? [UNKNOWN, { ...UNKNOWN, dispatch: 'accepted' }] : [UNKNOWN],
      ...bound(dependencies.reconcileCapacity()),
    });
    for (const row of rows) {
      metrics.swept.inc({ state: row.dispatch });
      dependencies.reconcile(row);
    }
    return rows.length;
  }

  function bound(capacity: Capacity): Capacity & { holdMs: number } {
    return { ...capacity, limit: Math.min(capacity.limit, PAGE_SIZE), holdMs: dependencies.holdMs };
  }

  async function markUnknown(row: DueMessage): Promise<void> {
    const log = logger.child({
      request_id: row.requestId,
      message_id: row.id,
      workspace_id: row.workspaceId,
      attempt: row.attempt,
      ...traceFields(row),
    });
    const detail = 'The worker did not report the outcome of the provider call';
    const writing = dependencies.transition(
      row,
      (now) => decideUnknown(now, row.attempt, detail, dependencies.policy),
      { log },
    );
    const result = await endWith(startRowSpan(dependencies.tracer, 'end lease', row), writing);
    if (result?.kind === 'changed') log.warn('lease expired, the outcome is unknown');
  }
}

/** Leaves the messages of workspaces whose hints wait in this process to the queue, except for a few. */
function leaveBacklog(capacity: Capacity): Capacity {
  const few = [...capacity.capacities].map(
    ([id, free]) => [id, Math.min(free, MAX_OF_BACKLOG)] as const,
  );
  return { ...capacity, capacities: new Map(few) };
}

/** A new message is due because its hint was lost, or is delayed by a backlog. */
function stateOf({ isPostponed }: DueMessage, hasBacklog: boolean): 'ready' | 'postponed' {
  return isPostponed || hasBacklog ? 'postponed' : 'ready';
}
