import { mayChangeAccount } from './change-account.ts';
import { type Decision, type DispatchRow, NO_CHANGE, createChange } from './dispatch-row.ts';

const CLOSED = 'The workspace was closed';

/**
 * Ends a message of a workspace that is closed, unless a call is in flight or its outcome is looked up. A message that waits
 * for its resend may be at the provider, unless a lookup has proved that it is not, so it fails with an unknown outcome.
 */
export function decideClose(row: DispatchRow): Decision {
  if (row.dispatch !== 'ready') return NO_CHANGE;
  // No earlier attempt has sent it.
  if (mayChangeAccount(row)) {
    return createChange(row, {
      fields: { dispatch: 'canceled', status: 'canceled', errorDetail: CLOSED },
      dueInMs: null,
      event: { type: 'canceled', detail: CLOSED },
    });
  }
  return createChange(row, {
    fields: {
      dispatch: 'unresolved',
      status: 'failed',
      errorCode: 'outcome_unknown',
      errorDetail: `${CLOSED} before it was known whether the provider has sent this message`,
    },
    dueInMs: null,
    event: { type: 'status_changed', detail: CLOSED },
  });
}
