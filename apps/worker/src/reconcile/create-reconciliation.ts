import type { DueMessage } from '@switchboard/database';
import type { Logger, Tracer } from '@switchboard/runtime';
import type { AccountMonitor } from '../account-monitor.ts';
import { createTenantQueues } from '../tenant-queues.ts';
import { type LookUpMessageDependencies, createLookUpMessage } from './look-up-message.ts';
import { type PollMessageDependencies, createPollMessage } from './poll-message.ts';
import { createReconcile } from './reconcile.ts';

/** Maximum number of concurrent lookups and polls. */
export const RECONCILE_CONCURRENCY = 8;
/** Maximum number of rows, with their texts, that wait for a lookup or a poll. */
const ROWS_WAITING = { maxWaiting: 200, maxWaitingInAll: 2_000 };

type ReconciliationDependencies = LookUpMessageDependencies &
  PollMessageDependencies & {
    monitor: Pick<AccountMonitor, 'recordRead'>;
    tracer: Tracer | null;
    logger: Logger;
  };

/** Creates reconciliation, which looks up unknown outcomes and polls unfinished messages. */
export function createReconciliation(dependencies: ReconciliationDependencies) {
  const reconcile = createReconcile({
    ...dependencies,
    lookUpMessage: createLookUpMessage(dependencies),
    pollMessage: createPollMessage(dependencies),
  });
  const queues = createTenantQueues<{ id: string; workspaceId: string; row: DueMessage }>({
    concurrency: RECONCILE_CONCURRENCY,
    ...ROWS_WAITING,
  });
  queues.start(async ({ row }, slot) => {
    const hasSlot = slot.enter(row.provider?.id ?? null) && (await slot.begin()) === 'call';
    // Without a slot, the row is due again after the sweeper's hold.
    return hasSlot ? reconcile(row) : { healthy: null, pauseMs: 0, again: false };
  });
  return {
    queues,
    /** Returns false if too many rows of the workspace wait in this process. */
    reconcileHere: (row: DueMessage): boolean =>
      queues.add({ id: row.id, workspaceId: row.workspaceId, row }),
  };
}
