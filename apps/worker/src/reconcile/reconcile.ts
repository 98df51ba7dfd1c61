import type { DueMessage } from '@switchboard/database';
import { type Logger, type Tracer, endWith } from '@switchboard/runtime';
import type { AccountMonitor } from '../account-monitor.ts';
import type { RunResult } from '../tenant-queue.ts';
import { startRowSpan, traceFields } from '../trace-row.ts';

type QueryProvider = (row: DueMessage, log: Logger) => Promise<'found' | 'missing' | 'unavailable'>;

/** Looks up or polls one row at the provider, depending on its state. Never throws. */
export function createReconcile(dependencies: {
  lookUpMessage: QueryProvider;
  pollMessage: QueryProvider;
  monitor: Pick<AccountMonitor, 'recordRead'>;
  tracer: Tracer | null;
  logger: Logger;
}) {
  return async function reconcile(row: DueMessage): Promise<RunResult> {
    const log = dependencies.logger.child({
      request_id: row.requestId,
      message_id: row.id,
      workspace_id: row.workspaceId,
      attempt: row.attempt,
      ...traceFields(row),
    });
    const isUnknown = row.dispatch === 'unknown';
    try {
      const query = isUnknown ? dependencies.lookUpMessage : dependencies.pollMessage;
      const name = isUnknown ? 'look up message' : 'poll message';
      const span = startRowSpan(dependencies.tracer, name, row, { kind: 'client' });
      const kind = await endWith(span, query(row, log), (found) => ({
        attributes: { 'switchboard.found': found },
      }));
      if (kind === 'found' && row.provider !== null) {
        await dependencies.monitor.recordRead({ workspaceId: row.workspaceId, ...row.provider });
      }
      return { healthy: kind !== 'unavailable', pauseMs: 0, again: false };
    } catch (error) {
      // The row is due again after the sweeper's hold.
      log.warn({ err: error }, 'failed to reconcile a message');
      return { healthy: null, pauseMs: 0, again: false };
    }
  };
}
