import { type MessageStatus, isFinalStatus } from '../message-status.ts';

/**
 * How a message travels to the provider, apart from the status people see.
 *
 *     ready ──claim──▶ inflight ──▶ accepted
 *       ▲                 │   └───▶ rejected
 *       │ surely not sent │
 *       ├─────────────────┤ lease over, time-out, 5xx, reset
 *       │                 ▼
 *       └─one resend── unknown ──evidence──▶ accepted
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

/** The part of a message's row that dispatch decides on, as read at one moment. */
export interface DispatchRow extends DispatchFields {
  id: string;
  workspaceId: string;
  /** Every change is a compare-and-set on it. */
  version: number;
  /** Provider calls begun. */
  attempt: number;
  onUnknown: OnUnknown;
  /** Since the first attempt began, by the database's clock; 0 before it. */
  triedForMs: number;
  /** Since the latest attempt began that the provider may have taken; 0 before it. */
  inDoubtForMs: number;
}

/** The fields that a decision may change. */
export interface DispatchFields {
  dispatch: DispatchState;
  /** Verified resends begun: 0 or 1. */
  resends: number;
  /** Look-ups or polls made in the present state. */
  lookups: number;
  status: MessageStatus;
  /** The highest status that the provider reported; null while there is no evidence from it. */
  providerStatus: MessageStatus | null;
  providerSid: string | null;
  providerAccount: string | null;
  /** The identifier comes from a look-up; direct evidence may take it away. */
  sidAdopted: boolean;
  from: string | null;
  errorCode: string | null;
  errorDetail: string | null;
  /** The provider's status that the code came with; null where the code is our own, or none. */
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

/** What is to be written, if the row is still at `expectedVersion`. */
export interface Change {
  id: string;
  workspaceId: string;
  expectedVersion: number;
  next: DispatchFields;
  /** When the row may be claimed, from now; null leaves it. */
  notBeforeInMs: number | null;
  /** When the sweeper must look again, from now; null when nothing is owed. */
  dueInMs: number | null;
  /** Null where nothing happened to the message itself. */
  event: { type: MessageEventType; detail: string | null; visible: boolean } | null;
  /** The provider has just reported a STOP that did not come here: the recipient has opted out. */
  optsOut: boolean;
}

/** What an input comes to. Both null: it says nothing new. */
export interface Decision {
  change: Change | null;
  /** A second identifier with direct evidence: the provider took the message twice. */
  duplicateSid: string | null;
}

export const NO_CHANGE: Decision = { change: null, duplicateSid: null };

interface ChangeParts {
  fields: Partial<DispatchFields>;
  dueInMs: number | null;
  notBeforeInMs?: number;
  /** Null where nothing happened to the message itself: a note for dispatch alone. */
  event: { type: MessageEventType; detail: string | null } | null;
  /** The error code of an opt-out at the provider; default none. */
  optOutCode?: string | null;
}

export function createChange(row: DispatchRow, parts: ChangeParts): Decision {
  const { optOutCode = null } = parts;
  const next: DispatchFields = {
    dispatch: row.dispatch,
    resends: row.resends,
    lookups: row.lookups,
    status: row.status,
    providerStatus: row.providerStatus,
    providerSid: row.providerSid,
    providerAccount: row.providerAccount,
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
      next,
      notBeforeInMs: parts.notBeforeInMs ?? null,
      dueInMs: isFinished(next) ? null : parts.dueInMs,
      event: parts.event === null ? null : { ...parts.event, visible },
      // Only as news: once START has lifted it, what the row still says must not bring it back.
      optsOut: optOutCode !== null && next.errorCode === optOutCode && row.errorCode !== optOutCode,
    },
    duplicateSid: null,
  };
}

/**
 * Nothing more is due. A resent message is polled once after its last news, whatever its status: the
 * provider may have taken the first attempt too, later than the hold allows.
 */
function isFinished({ status, dispatch, resends, lookups }: DispatchFields): boolean {
  const isChecked = resends === 0 || lookups > 0 || dispatch !== 'accepted';
  return isFinalStatus(status) && dispatch !== 'unknown' && isChecked;
}
