import { type MessageStatus, mergeStatus, statusRank } from '../message-status.ts';
import {
  type Decision,
  type DispatchFields,
  type DispatchRow,
  NO_CHANGE,
  createChange,
} from './dispatch-row.ts';
import type { DispatchPolicy } from './dispatch-policy.ts';
import { holdsSid } from './provider-identifier.ts';

/** A report from the provider about one of its messages. */
export interface ProviderReport {
  sid: string;
  vendorAccountId: string;
  status: MessageStatus | null;
  rawStatus: string;
  /** The timeline shows `rawStatus` even with a known status, because it says more. */
  isRawStatusShown?: true;
  /** The provider may give the same identifier to several messages. */
  mayShareSid?: true;
  /** When the provider has another status; it is fetched then. */
  nextReportInMs?: number;
  from: string | null;
  errorCode: string | null;
  errorDetail: string | null;
  /** The error says that the recipient has opted out at the provider. */
  isOptOut: boolean;
}

/** A report with the account that received or proved it. */
export interface Evidence extends ProviderReport {
  providerId: string;
}

/**
 * Decides what follows from direct evidence: the 201 of our own call, or a callback with our message
 * id. It counts in every state, because it proves that the provider has the message.
 */
export function decideDirectEvidence(
  row: DispatchRow,
  evidence: Evidence,
  policy: DispatchPolicy,
  source: 'response' | 'callback',
): Decision {
  if (row.providerSid === null || (row.sidAdopted && !holdsSid(row, evidence.sid))) {
    // The identifier that the row adopted by lookup belongs to another message, and so does its status.
    return assignIdentifier({ ...row, providerStatus: null }, evidence, policy, {
      providerId: evidence.providerId,
      adopted: false,
      detail: source === 'callback' ? 'Received from a status callback' : null,
    });
  }
  if (!holdsSid(row, evidence.sid)) return { change: null, duplicateSid: evidence.sid };
  // This proves the identifier that a lookup found. From now on, nothing may take it away, and a
  // second identifier with direct evidence is a duplicate.
  const merged = mergeEvidence({ ...row, sidAdopted: false }, evidence, policy);
  if (merged.change !== null || !row.sidAdopted) return merged;
  return createChange(row, {
    fields: { sidAdopted: false, lookups: 0 },
    dueInMs: policy.pollsMs[0] ?? null,
    event: null,
  });
}

/** Gives the row the identifier of its message at the provider. */
export function assignIdentifier(
  row: DispatchRow,
  evidence: ProviderReport,
  policy: DispatchPolicy,
  how: { providerId: string | null; adopted: boolean; detail: string | null },
): Decision {
  return createChange(row, {
    fields: {
      ...withProviderStatus({ ...row, sidAdopted: how.adopted }, evidence),
      dispatch: 'accepted',
      lookups: 0,
      providerSid: evidence.sid,
      providerId: how.providerId,
      vendorAccountId: evidence.vendorAccountId,
      sidAdopted: how.adopted,
    },
    dueInMs: evidence.nextReportInMs ?? policy.pollsMs[0] ?? null,
    event: { type: 'provider_accepted', detail: how.detail },
    optOutCode: optOutCodeOf(evidence),
    mayShareSid: evidence.mayShareSid === true,
  });
}

/** Merges a later report, from a callback or a poll, about the identifier that the row holds. */
export function mergeEvidence(
  row: DispatchRow,
  evidence: ProviderReport,
  policy: DispatchPolicy,
): Decision {
  const fields = withProviderStatus(row, evidence);
  const unknownStatus = evidence.status === null;
  const changed =
    fields.status !== row.status ||
    fields.from !== row.from ||
    fields.errorCode !== row.errorCode ||
    fields.errorDetail !== row.errorDetail ||
    fields.errorStatus !== row.errorStatus ||
    fields.providerStatus !== row.providerStatus;
  if (!changed && !unknownStatus) return NO_CHANGE;
  return createChange(row, {
    fields: { ...fields, lookups: 0 },
    dueInMs: evidence.nextReportInMs ?? policy.pollsMs[0] ?? null,
    event: {
      type: 'status_changed',
      detail:
        unknownStatus || evidence.isRawStatusShown === true
          ? `Provider status ${evidence.rawStatus}`
          : null,
    },
    optOutCode: optOutCodeOf(evidence),
  });
}

/**
 * After any report from the provider, users see the highest status that the provider has reported.
 * That status replaces our own result (`outcome_unknown`).
 */
function withProviderStatus(
  row: DispatchRow,
  evidence: ProviderReport,
): Pick<DispatchFields, 'status' | 'providerStatus' | 'from' | keyof ProviderError> {
  const providerStatus = mergeStatus(row.providerStatus, evidence.status ?? 'queued') ?? 'queued';
  return {
    providerStatus,
    status: providerStatus,
    // An identifier from a lookup may be removed. Its sender would stay in the row and affect the
    // next lookup and the resend.
    from: row.from ?? (row.sidAdopted ? null : evidence.from),
    ...mergeError(row, evidence, providerStatus),
  };
}

function optOutCodeOf({ isOptOut, errorCode }: ProviderReport): string | null {
  return isOptOut ? errorCode : null;
}

type ProviderError = Pick<DispatchFields, 'errorCode' | 'errorDetail' | 'errorStatus'>;

const NO_ERROR: ProviderError = { errorCode: null, errorDetail: null, errorStatus: null };

/**
 * Keeps the error that came with the highest status, so the order of reports does not matter. A
 * delivered message loses the error of an earlier status.
 */
function mergeError(
  row: DispatchRow,
  evidence: ProviderReport,
  status: MessageStatus,
): ProviderError {
  const { errorCode, errorDetail } = evidence;
  const reported: ProviderError = {
    errorCode,
    errorDetail,
    errorStatus: evidence.status ?? 'queued',
  };
  const known: ProviderError =
    row.providerStatus === null
      ? NO_ERROR
      : { ...row, errorStatus: row.errorStatus ?? row.providerStatus };
  const winner = isStronger(reported, known) ? reported : known;
  const delivered = statusRank('delivered');
  const isOver =
    !isError(winner) ||
    (statusRank(status) >= delivered && statusRank(winner.errorStatus) < delivered);
  if (isOver) return NO_ERROR;
  return {
    errorCode: winner.errorCode,
    errorDetail: winner.errorDetail,
    errorStatus: winner.errorStatus,
  };
}

/** A provider may report an error in words, without a code. */
function isError({ errorCode, errorDetail }: ProviderError): boolean {
  return errorCode !== null || errorDetail !== null;
}

/**
 * Of two errors with the same status, the greater code wins, and any code wins over words alone, so that
 * their order does not matter. Other words for the same code are no news.
 */
function isStronger(reported: ProviderError, known: ProviderError): boolean {
  if (!isError(reported) || !isError(known)) return isError(reported);
  const ranks = statusRank(reported.errorStatus) - statusRank(known.errorStatus);
  if (ranks !== 0) return ranks > 0;
  const [code, knownCode] = [reported.errorCode ?? '', known.errorCode ?? ''];
  if (code !== knownCode) return code > knownCode;
  if (code !== '' && known.errorDetail !== null) return false;
  return (reported.errorDetail ?? '') > (known.errorDetail ?? '');
}
