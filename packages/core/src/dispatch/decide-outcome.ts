import type { CallOutcome, SendOutcome } from '../ports/send-outcome.ts';
import { type Alternatives, NO_ALTERNATIVES, changeAccount } from './change-account.ts';
import { type DispatchPolicy, backoffMs } from './dispatch-policy.ts';
import { type Decision, type DispatchRow, NO_CHANGE, createChange } from './dispatch-row.ts';
import { decideDirectEvidence } from './evidence.ts';

/**
 * Decides what follows from the outcome of a provider call that a worker made as attempt number
 * `attempt`. After a call that certainly sent nothing, one of the `alternatives` may be next.
 */
export function decideOutcome(
  row: DispatchRow,
  attempt: number,
  outcome: CallOutcome,
  policy: DispatchPolicy,
  alternatives: Alternatives = NO_ALTERNATIVES,
): Decision {
  if (outcome.kind === 'accepted') {
    return decideDirectEvidence(row, outcome.message, policy, 'response');
  }
  // Any other outcome counts only for its own attempt, and only while the row has no identifier.
  if (row.attempt !== attempt || row.providerSid !== null) return NO_CHANGE;

  switch (outcome.kind) {
    case 'unknown':
      return decideUnknown(row, attempt, outcome.detail, policy);
    case 'rejected':
    case 'withheld':
      if (!mayBeInFlight(row)) return NO_CHANGE;
      return (
        (outcome.isAccountOnly === true ? tryNext(row, outcome.detail, alternatives) : null) ??
        fail(row, outcome)
      );
    case 'not_sent':
      return mayBeInFlight(row) ? decideNotSent(row, outcome, policy, alternatives) : NO_CHANGE;
  }
}

/**
 * Decides after the lease of attempt number `attempt` expired, or after a response that leaves the
 * outcome open. Only evidence may decide from now on.
 */
export function decideUnknown(
  row: DispatchRow,
  attempt: number,
  detail: string,
  policy: DispatchPolicy,
): Decision {
  if (row.dispatch !== 'inflight' || row.attempt !== attempt) return NO_CHANGE;
  return createChange(row, {
    fields: { dispatch: 'unknown', lookups: 0 },
    dueInMs: policy.unknownLookupsMs[0] ?? 0,
    event: { type: 'outcome_unknown', detail },
  });
}

/** The lease of a call may expire before the call proves that nothing was sent. */
function mayBeInFlight(row: DispatchRow): boolean {
  return row.dispatch === 'inflight' || row.dispatch === 'unknown';
}

function decideNotSent(
  row: DispatchRow,
  outcome: Extract<SendOutcome, { kind: 'not_sent' }>,
  policy: DispatchPolicy,
  alternatives: Alternatives,
): Decision {
  // A throttled account delays its messages and fails none: its pace decides when they are sent.
  const isThrottled = outcome.reason === 'throttled' || outcome.reason === 'busy';
  if (row.triedForMs >= policy.giveUpAfterMs && !isThrottled) {
    const code = outcome.code ?? 'provider_unreachable';
    return fail(row, { kind: 'not_sent', code, detail: outcome.detail });
  }
  const isOurs = outcome.reason === 'lease_expired';
  const next = isOurs ? null : tryNext(row, outcome.detail, alternatives);
  if (next !== null) return next;
  // A round over several accounts counts as one attempt: each of them has failed once since the last wait.
  const rounds = Math.ceil(row.attempt / (row.failedAccounts.length + 1));
  const waitMs = Math.max(
    outcome.retryAfterMs ?? 0,
    isOurs || isThrottled
      ? 0
      : backoffMs(
          policy,
          rounds,
          outcome.reason === 'credentials' ? policy.credentialsBackoffMs : policy.backoffMs,
        ),
  );
  return createChange(row, {
    fields: { dispatch: 'ready', lookups: 0, failedAccounts: isOurs ? row.failedAccounts : [] },
    notBeforeInMs: waitMs,
    dueInMs: waitMs,
    event: { type: 'attempt_failed', detail: outcome.detail },
  });
}

/** Gives the next attempt, without a wait, to another account. Returns null if none is left. */
function tryNext(row: DispatchRow, detail: string, alternatives: Alternatives): Decision | null {
  const failedAccounts = changeAccount(row, alternatives);
  if (failedAccounts === null) return null;
  return createChange(row, {
    fields: { dispatch: 'ready', lookups: 0, failedAccounts },
    notBeforeInMs: 0,
    dueInMs: 0,
    event: { type: 'attempt_failed', detail: `${detail} Trying another provider account.` },
  });
}

type Failure =
  | Extract<SendOutcome, { kind: 'rejected' | 'withheld' }>
  | { kind: 'not_sent'; code: string; detail: string };

/** Ends a message that certainly was not sent. Only a response of the provider is its rejection. */
function fail(row: DispatchRow, failure: Failure): Decision {
  const { kind, code, detail } = failure;
  return createChange(row, {
    fields: { dispatch: 'rejected', status: 'failed', errorCode: code, errorDetail: detail },
    dueInMs: null,
    event: { type: kind === 'rejected' ? 'provider_rejected' : 'status_changed', detail },
    optOutCode: kind === 'rejected' && failure.isOptOut ? code : null,
  });
}
