import { type Decision, type DispatchRow, NO_CHANGE, createChange } from './dispatch-row.ts';

/**
 * Cancels before hand-over. A row that waits for its resend can't be canceled: the provider may
 * have the first attempt. No change means that the state forbids it.
 */
export function decideCancel(row: DispatchRow): Decision {
  if (row.dispatch !== 'ready' || row.resends > 0) return NO_CHANGE;
  return createChange(row, {
    fields: { dispatch: 'canceled', status: 'canceled' },
    dueInMs: null,
    event: { type: 'canceled', detail: null },
  });
}
