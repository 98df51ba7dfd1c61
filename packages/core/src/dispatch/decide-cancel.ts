import { type Decision, type DispatchRow, NO_CHANGE, createChange } from './dispatch-row.ts';

/**
 * Cancels a message that was not sent. A row that waits for its resend can't be canceled, because the
 * provider may have accepted the first attempt. No change means that the state forbids it.
 */
export function decideCancel(row: DispatchRow): Decision {
  if (row.dispatch !== 'ready' || row.resends > 0) return NO_CHANGE;
  return createChange(row, {
    fields: { dispatch: 'canceled', status: 'canceled' },
    dueInMs: null,
    event: { type: 'canceled', detail: null },
  });
}
