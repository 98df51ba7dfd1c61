import { type MessageStatus, isFinalStatus } from '../message-status.ts';

/**
 * The progress of a message to the provider. It is separate from the status that users see.
 *
 *     ready ──claim──▶ inflight ──▶ accepted
 *       ▲                 │   └───▶ rejected
 *       │    not sent     │
 *       ├─────────────────┤ lease expired, timeout, 5xx, reset
 *       │                 ▼
 *       └───resend──── unknown ──evidence──▶ accepted
 *                         └──hold over──▶ unresolved ──late evidence──▶ accepted
 *
 * `inflight` never returns to `ready` without evidence that nothing was sent.
 */
export type DispatchState =
  | 'ready'
  | 'inflight'
  | 'accepted'
  | 'rejected'
  | 'unknown'
  | 'unresolved'
  | 'canceled';

export type OnUnknown = 'resend' | 'fail';

/** What finds a message: its id is unique only in its workspace. */
export interface MessageKey {
  workspaceId: string;
  id: string;
}

/** The part of a message's row that dispatch decides on, as read at one moment. */
export interface DispatchRow extends DispatchFields, MessageKey {
  /** Every change compares and increments it. */
  version: number;
  /** Number of provider calls that were started. */
  attempt: number;
  onUnknown: OnUnknown;
  /** Milliseconds since the start of the first attempt, by the database's clock; 0 before it. */
  triedForMs: number;
  /** Milliseconds since the start of the latest attempt that may have been accepted; 0 before it. */
  inDoubtForMs: number;
  /** Whether the sweeper must process the row again. Every change decides it, by its `dueInMs`. */
  isInProgress: boolean;
}

/** The fields that a decision may change. */
export interface DispatchFields {
  dispatch: DispatchState;
  /** Number of resends after a lookup. */
  resends: number;
  /** How many of the resends followed a lookup by reference, which proves that nothing was sent. */
  provedResends: number;
  /** The ids of the accounts that have certainly not sent the message since the last wait between attempts. */
  failedAccounts: readonly string[];
  /** Number of lookups or polls in the current state. */
  lookups: number;
  status: MessageStatus;
  /** The highest status that the provider reported; null while there is no evidence from it. */
  providerStatus: MessageStatus | null;
  /** The account of the latest attempt. Its workspace may have removed it. */
  providerId: string | null;
  /**
   * The vendor's identifier of that account at the attempt. It does not change with the account, so that
   * together with `providerSid` it names the message at the vendor.
   */
  vendorAccountId: string | null;
  providerSid: string | null;
  /** The identifier comes from a lookup. Direct evidence may take it away. */
  sidAdopted: boolean;
  from: string | null;
  errorCode: string | null;
  errorDetail: string | null;
  /** The provider's status that came with the code; null without a code or with one of our own codes. */
  errorStatus: MessageStatus | null;
}

export type MessageEventType =
  | 'created'
  | 'scheduled'
  | 'attempt_started'
  | 'attempt_failed'
  | 'outcome_unknown'
  | 'provider_accepted'
  | 'provider_rejected'
  | 'status_changed'
  | 'canceled'
  | 'received';

/** The values to write if the row is still at `expectedVersion`. */
export interface Change {
  id: string;
  workspaceId: string;
  expectedVersion: number;
  /** Whether the row was in progress at that version. The store keeps such rows apart. */
  wasInProgress: boolean;
  next: DispatchFields;
  /** Milliseconds until the row may be claimed; null keeps the stored time. */
  notBeforeInMs: number | null;
  /** Milliseconds until the sweeper must check the row again; null for never. */
  dueInMs: number | null;
  /** The event for the timeline; null if users need not see the change. */
  event: { type: MessageEventType; detail: string | null; visible: boolean } | null;
  /** Whether the change is the first report of the provider that the recipient has opted out. */
  optsOut: boolean;
  /** If another row has the identifier, this one stores it under its own name (`toOwnSid`). */
  mayShareSid?: true;
}

/** The result of deciding on an input. Both fields are null if the input contains no news. */
export interface Decision {
  change: Change | null;
  /** A second identifier with direct evidence: the provider has accepted the message twice. */
  duplicateSid: string | null;
}

export const NO_CHANGE: Decision = { change: null, duplicateSid: null };

interface ChangeParts {
  fields: Partial<DispatchFields>;
  dueInMs: number | null;
  notBeforeInMs?: number;
  /** The event for the timeline; null for a change that concerns only dispatch. */
  event: { type: MessageEventType; detail: string | null } | null;
  /** The error code of an opt-out at the provider. Default: none. */
  optOutCode?: string | null;
  /** Default false. */
  mayShareSid?: boolean;
}

/** Decides to write `parts.fields` to the row; all other fields keep their values. */
export function createChange(row: DispatchRow, parts: ChangeParts): Decision {
  const { optOutCode = null } = parts;
  const next: DispatchFields = {
    dispatch: row.dispatch,
    resends: row.resends,
    provedResends: row.provedResends,
    failedAccounts: row.failedAccounts,
    lookups: row.lookups,
    status: row.status,
    providerStatus: row.providerStatus,
    providerId: row.providerId,
    providerSid: row.providerSid,
    vendorAccountId: row.vendorAccountId,
    sidAdopted: row.sidAdopted,
    from: row.from,
    errorCode: row.errorCode,
    errorDetail: row.errorDetail,
    errorStatus: row.errorStatus,
    ...parts.fields,
  };
  const visible =
    next.status !== row.status ||
    next.providerSid !== row.providerSid ||
    next.from !== row.from ||
    next.errorCode !== row.errorCode ||
    next.errorDetail !== row.errorDetail;
  return {
    change: {
      id: row.id,
      workspaceId: row.workspaceId,
      expectedVersion: row.version,
      wasInProgress: row.isInProgress,
      next,
      notBeforeInMs: parts.notBeforeInMs ?? null,
      dueInMs: isFinished(next) ? null : parts.dueInMs,
      event: parts.event === null ? null : { ...parts.event, visible },
      // Only if the code is new: after a START, the error code in the row must not restore the
      // opt-out.
      optsOut: optOutCode !== null && next.errorCode === optOutCode && row.errorCode !== optOutCode,
      ...(parts.mayShareSid === true && { mayShareSid: true }),
    },
    duplicateSid: null,
  };
}

/**
 * Returns whether nothing more is due for the row. A resent message is polled once after its last change,
 * whatever its status, because the provider may accept the first attempt after the end of the hold.
 */
function isFinished({ status, dispatch, resends, lookups }: DispatchFields): boolean {
  const isChecked = resends === 0 || lookups > 0 || dispatch !== 'accepted';
  return isFinalStatus(status) && dispatch !== 'unknown' && isChecked;
}
