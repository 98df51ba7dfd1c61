import type { DispatchPolicy } from './dispatch-policy.ts';
import { type Decision, type DispatchRow, NO_CHANGE, createChange } from './dispatch-row.ts';

/**
 * The identifier that this row had adopted by look-up has proved to be another row's. What became
 * of this one is unknown again.
 */
export function decideTakenIdentifier(row: DispatchRow, policy: DispatchPolicy): Decision {
  if (!row.sidAdopted) return NO_CHANGE;
  return createChange(row, {
    fields: {
      dispatch: 'unknown',
      lookups: 0,
      status: 'queued',
      providerStatus: null,
      providerSid: null,
      sidAdopted: false,
      errorCode: null,
      errorDetail: null,
    },
    dueInMs: policy.unknownLookupsMs[0] ?? 0,
    event: {
      type: 'outcome_unknown',
      detail: 'The identifier found by look-up was another message’s',
    },
  });
}
