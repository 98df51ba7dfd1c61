import { type MessageStatus, mergeStatus, statusRank } from '../message-status.ts';
import {
  type Decision,
  type DispatchFields,
  type DispatchRow,
  NO_CHANGE,
  createChange,
} from './dispatch-row.ts';
import type { DispatchPolicy } from './dispatch-policy.ts';

/** What the provider says about one of its messages. */
export interface Evidence {
  sid: string;
  account: string;
  status: MessageStatus | null;
  rawStatus: string;
  from: string | null;
  errorCode: string | null;
  errorDetail: string | null;
  /** The error says that the recipient has opted out at the provider. */
  isOptOut: boolean;
}

/**
 * Direct evidence: the 201 of our own call, or a callback that carries our message id. It counts
 * in every state, because it proves that the provider has the message.
 */
export function decideDirectEvidence(
  row: DispatchRow,
  evidence: Evidence,
  policy: DispatchPolicy,
  source: 'answer' | 'callback',
): Decision {
  if (row.providerSid === null || (row.sidAdopted && row.providerSid !== evidence.sid)) {
    // An identifier adopted by look-up was another message's: its status is void with it.
    return learnIdentifier({ ...row, providerStatus: null }, evidence, policy, {
      adopted: false,
      detail: source === 'callback' ? 'Learned from a status callback' : null,
    });
  }
  if (row.providerSid !== evidence.sid) return { change: null, duplicateSid: evidence.sid };
  // What a look-up had guessed is proved now: nothing may take it away, and a second identifier
  // with direct evidence is a duplicate from here on.
  const merged = mergeEvidence({ ...row, sidAdopted: false }, evidence, policy);
  if (merged.change !== null || !row.sidAdopted) return merged;
  return createChange(row, {
    fields: { sidAdopted: false, lookups: 0 },
    dueInMs: policy.pollsMs[0] ?? null,
    event: null,
  });
}

/** The row learns which of the provider's messages it is. */
export function learnIdentifier(
  row: DispatchRow,
  evidence: Evidence,
  policy: DispatchPolicy,
  how: { adopted: boolean; detail: string | null },
): Decision {
  return createChange(row, {
    fields: {
      ...withProviderStatus({ ...row, sidAdopted: how.adopted }, evidence),
      dispatch: 'accepted',
      lookups: 0,
      providerSid: evidence.sid,
      providerAccount: evidence.account,
      sidAdopted: how.adopted,
    },
    dueInMs: policy.pollsMs[0] ?? null,
    event: { type: 'provider_accepted', detail: how.detail },
    optOutCode: optOutCodeOf(evidence),
  });
}

/** A later word on an identifier that the row holds: a callback or a poll. */
export function mergeEvidence(
  row: DispatchRow,
  evidence: Evidence,
  policy: DispatchPolicy,
): Decision {
  const fields = withProviderStatus(row, evidence);
  const unknownStatus = evidence.status === null;
  const changed =
    fields.status !== row.status ||
    fields.from !== row.from ||
    fields.errorCode !== row.errorCode ||
    fields.errorStatus !== row.errorStatus ||
    fields.providerStatus !== row.providerStatus;
  if (!changed && !unknownStatus) return NO_CHANGE;
  return createChange(row, {
    fields: { ...fields, lookups: 0 },
    dueInMs: policy.pollsMs[0] ?? null,
    event: {
      type: 'status_changed',
      detail: unknownStatus ? `Provider status ${evidence.rawStatus}` : null,
    },
    optOutCode: optOutCodeOf(evidence),
  });
}

/**
 * With any evidence from the provider, its highest status is what people see, and a verdict of
 * our own (`outcome_unknown`) is void.
 */
function withProviderStatus(
  row: DispatchRow,
  evidence: Evidence,
): Pick<DispatchFields, 'status' | 'providerStatus' | 'from' | keyof ProviderError> {
  const providerStatus = mergeStatus(row.providerStatus, evidence.status ?? 'queued') ?? 'queued';
  return {
    providerStatus,
    status: providerStatus,
    // A sender learned from an identifier that may yet be taken back would outlive it, and steer
    // the next look-up and the resend.
    from: row.from ?? (row.sidAdopted ? null : evidence.from),
    ...mergeError(row, evidence, providerStatus),
  };
}

function optOutCodeOf({ isOptOut, errorCode }: Evidence): string | null {
  return isOptOut ? errorCode : null;
}

type ProviderError = Pick<DispatchFields, 'errorCode' | 'errorDetail' | 'errorStatus'>;

const NO_ERROR: ProviderError = { errorCode: null, errorDetail: null, errorStatus: null };

/**
 * The error code is the one that came with the highest status, of all that came with any; so the
 * order in which they come plays no part. A message that was delivered has none from before.
 */
function mergeError(row: DispatchRow, evidence: Evidence, status: MessageStatus): ProviderError {
  const { errorCode, errorDetail } = evidence;
  const told: ProviderError = { errorCode, errorDetail, errorStatus: evidence.status ?? 'queued' };
  const known: ProviderError =
    row.providerStatus === null
      ? NO_ERROR
      : { ...row, errorStatus: row.errorStatus ?? row.providerStatus };
  const winner = isStronger(told, known) ? told : known;
  const delivered = statusRank('delivered');
  const isOver =
    winner.errorCode === null ||
    (statusRank(status) >= delivered && statusRank(winner.errorStatus) < delivered);
  if (isOver) return NO_ERROR;
  return {
    errorCode: winner.errorCode,
    errorDetail: winner.errorDetail,
    errorStatus: winner.errorStatus,
  };
}

/** Of two codes with one status the greater one, so that either order gives the same. */
function isStronger(told: ProviderError, known: ProviderError): boolean {
  if (told.errorCode === null || known.errorCode === null) return told.errorCode !== null;
  const ranks = statusRank(told.errorStatus) - statusRank(known.errorStatus);
  return ranks > 0 || (ranks === 0 && told.errorCode > known.errorCode);
}
