import type { DispatchPolicy } from './dispatch-policy.ts';
import { type Decision, type DispatchRow, NO_CHANGE, createChange } from './dispatch-row.ts';
import { learnIdentifier } from './evidence.ts';

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
      errorStatus: null,
    },
    dueInMs: policy.unknownLookupsMs[0] ?? 0,
    event: {
      type: 'outcome_unknown',
      detail: 'The identifier found by look-up was another message’s',
    },
  });
}

/**
 * The row that took the identifier had itself adopted another's, which it gave up. The two texts
 * are the same, since both rows could be found under one identifier: so the given-up one is as
 * good for the row that lost its own. Left free it might be too old for a look-up to offer, and a
 * text would go out that has already gone out.
 */
export function decideGivenUpIdentifier(
  row: DispatchRow,
  giver: DispatchRow,
  policy: DispatchPolicy,
): Decision {
  const { providerSid, providerAccount } = giver;
  const hasOne = giver.sidAdopted && providerSid !== null && providerAccount !== null;
  if (!hasOne || row.dispatch !== 'unknown' || row.from !== giver.from) return NO_CHANGE;
  const evidence = {
    sid: providerSid,
    account: providerAccount,
    status: giver.providerStatus,
    rawStatus: giver.providerStatus ?? '',
    from: null,
    errorCode: giver.errorCode,
    errorDetail: giver.errorDetail,
    isOptOut: false,
  };
  return learnIdentifier(row, evidence, policy, {
    adopted: true,
    detail: 'Exchanged with a message of the same text',
  });
}
