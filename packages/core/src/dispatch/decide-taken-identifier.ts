import type { DispatchPolicy } from './dispatch-policy.ts';
import { type Decision, type DispatchRow, NO_CHANGE, createChange } from './dispatch-row.ts';
import { assignIdentifier } from './evidence.ts';

/**
 * Removes the identifier that this row adopted after a lookup, because direct evidence assigns it to
 * another row. The outcome of this row is unknown again.
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
      detail: 'The identifier that the lookup found belongs to another message',
    },
  });
}

/**
 * Gives this row the identifier that `giver` had adopted by lookup and gave up for the identifier
 * of this row. Both rows have the same text, because lookups matched both with one identifier, so
 * the given-up identifier fits this row too. Without this, the message under it might be too old
 * for the next lookup, and the service would send the text again. The rows may belong to two workspaces
 * that share an account at the vendor, so this row keeps its own account.
 */
export function decideGivenUpIdentifier(
  row: DispatchRow,
  giver: DispatchRow,
  policy: DispatchPolicy,
): Decision {
  const { providerSid, vendorAccountId } = giver;
  if (!giver.sidAdopted || providerSid === null || vendorAccountId === null) return NO_CHANGE;
  if (vendorAccountId !== row.vendorAccountId) return NO_CHANGE;
  if (row.dispatch !== 'unknown' || row.from !== giver.from) return NO_CHANGE;
  const evidence = {
    sid: providerSid,
    vendorAccountId,
    status: giver.providerStatus,
    rawStatus: giver.providerStatus ?? '',
    from: null,
    errorCode: giver.errorCode,
    errorDetail: giver.errorDetail,
    isOptOut: false,
  };
  return assignIdentifier(row, evidence, policy, {
    providerId: row.providerId,
    adopted: true,
    detail: 'Identifier exchanged with another message that has the same text',
  });
}
