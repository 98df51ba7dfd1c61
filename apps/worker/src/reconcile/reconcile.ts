import type { DueMessage } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { LaneVerdict } from '../lanes.ts';

type Ask = (row: DueMessage, log: Logger) => Promise<'found' | 'missing' | 'unavailable'>;

/** Asks the provider about one row, as its state needs it. Never throws. */
export function createReconcile(deps: { lookUpMessage: Ask; pollMessage: Ask; logger: Logger }) {
  return async function reconcile(row: DueMessage): Promise<LaneVerdict> {
    const log = deps.logger.child({
      request_id: row.requestId,
      message_id: row.id,
      workspace_id: row.workspaceId,
      attempt: row.attempt,
    });
    try {
      const ask = row.dispatch === 'unknown' ? deps.lookUpMessage : deps.pollMessage;
      const kind = await ask(row, log);
      return { healthy: kind !== 'unavailable', pauseMs: 0, again: false };
    } catch (error) {
      // The row is due again after the sweeper's hold.
      log.warn({ err: error }, 'a message could not be asked after');
      return { healthy: null, pauseMs: 0, again: false };
    }
  };
}
