import {
  type Alternatives,
  type Clock,
  type DispatchHint,
  type DispatchPolicy,
  type CallOutcome,
  NO_ALTERNATIVES,
  type TransitionResult,
  decideOutcome,
  modeOf,
  readAccountSignal,
} from '@switchboard/core';
import type { ClaimedMessage, MessageStore } from '@switchboard/database';
import { type Logger, type Span, type SpanEnd, type Tracer, endWith } from '@switchboard/runtime';
import type { AccountMonitor } from '../account-monitor.ts';
import type { CallSlot } from '../call-slots.ts';
import type { Routes } from '../create-routes.ts';
import type { ForwardHint, SessionDirectory } from '../provider-sessions.ts';
import type { RunResult } from '../tenant-queue.ts';
import { startPart, startRowSpan, traceFields } from '../trace-row.ts';
import type { TryTransition } from '../try-transition.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';
import { createCallFence } from './call-fence.ts';
import { isThrottled, toRunResult } from './to-run-result.ts';

export interface DispatchMessageDependencies {
  store: Pick<MessageStore, 'claim' | 'claimTrial'>;
  routes: Pick<Routes, 'choose' | 'chooseAccount' | 'listAlternatives' | 'forget'>;
  callProvider(message: ClaimedMessage, mayWrite: () => boolean): Promise<CallOutcome>;
  transition: TryTransition;
  monitor: Pick<AccountMonitor, 'record'>;
  directory: Pick<SessionDirectory, 'locate'>;
  forwardHint: ForwardHint;
  policy: DispatchPolicy;
  clock: Clock;
  leaseMs: number;
  callTimeoutMs: number;
  metrics: Pick<WorkerMetrics, 'claims' | 'outcomes' | 'callSeconds' | 'unknownAccounts'>;
  tracer: Tracer | null;
  logger: Logger;
}

/** How long to wait before a hint is processed again while the database is unavailable. */
const CLAIM_RETRY_MS = 1_000;
/** How long to retry the write of a provider's response. Later evidence can replace a lost one. */
const WRITE_RETRY_MS = 60_000;
const CLAIM_ROUNDS = 2;

/** The recipient opted out after the message was accepted; the provider is not called. */
const SUPPRESSED: CallOutcome = {
  kind: 'withheld',
  code: 'recipient_opted_out',
  detail: 'The recipient opted out before the message was sent',
};

/** The message was claimed ahead of a free slot. It is ready again. */
const NOT_CALLED_OUTCOMES = {
  closed: notCalled('The worker stopped before it called the provider.'),
  refused: notCalled('The provider account failed before the call was made.'),
};

const NOT_CALLED: RunResult = { healthy: null, pauseMs: 0, again: false };

/**
 * Processes one hint: chooses the account, claims the message, calls the provider, writes the outcome. A
 * trial is sent with the given account, even if it is paused. If the account needs a session that this
 * process does not have, the hint goes to the worker that has it.
 */
export type DispatchMessage = (hint: DispatchHint, how?: DispatchOptions) => Promise<RunResult>;

export interface DispatchOptions {
  /** Sends the message as a trial of this account. */
  trialOf?: string | null;
  /** Another worker has forwarded the hint, because this one has the session. */
  isForwarded?: boolean;
  /** The slot of the call. Default: the call starts immediately. */
  slot?: CallSlot;
}

export function createDispatchMessage(dependencies: DispatchMessageDependencies): DispatchMessage {
  const { store, policy, clock, metrics, tracer } = dependencies;

  return async function dispatchMessage(hint, how = {}) {
    const { requestId: request_id, messageId: message_id, workspaceId: workspace_id } = hint;
    const fields = { request_id, message_id, workspace_id };
    // Created before the claim, so that the lease begins later than this time.
    const mayWrite = createCallFence(clock, dependencies);
    const startedAt = clock.now();
    let message: ClaimedMessage | null;
    try {
      message = await claim(hint, how);
    } catch (error) {
      // Nothing was sent. If the claim was committed, its lease will expire.
      metrics.claims.inc({ result: 'failed' });
      dependencies.logger.warn({ ...fields, err: error }, 'failed to claim a message');
      return { healthy: null, pauseMs: CLAIM_RETRY_MS, again: true };
    }
    metrics.claims.inc({ result: message === null ? 'nothing' : 'claimed' });
    if (message === null) return NOT_CALLED;
    // The row contains the trace, so the trace is known only now.
    const span = startRowSpan(tracer, 'dispatch message', message, { kind: 'consumer', startedAt });
    startPart(tracer, 'claim message', span, { startedAt })?.end();
    const log = dependencies.logger.child({
      ...fields,
      attempt: message.attempt,
      ...traceFields(message),
    });
    return endWith(span, sendClaimed(message, { mayWrite, slot: how.slot }, log, span));
  };

  async function claim(
    hint: DispatchHint,
    { trialOf = null, isForwarded = false, slot }: DispatchOptions,
  ): Promise<ClaimedMessage | null> {
    const { routes, directory } = dependencies;
    const { messageId, workspaceId } = hint;
    for (let round = 1; ; round += 1) {
      const choice = await (trialOf === null
        ? routes.choose(hint)
        : routes.chooseAccount(hint, trialOf));
      if (choice === 'wait') return null;
      const location = directory.locate(workspaceId, choice?.providerId ?? null);
      if (location.kind !== 'here') {
        if (location.kind === 'worker' && !isForwarded)
          dependencies.forwardHint(location.workerId, hint);
        return null;
      }
      if (slot?.enter(choice?.providerId ?? null) === false) return null;
      const chosen = { messageId, workspaceId, ...(choice !== undefined && { choice }) };
      const claimed = await (trialOf === null ? store.claim(chosen) : store.claimTrial(chosen));
      if (claimed !== null || choice === undefined || round === CLAIM_ROUNDS) return claimed;
      // The account may have been paused since its workspace was read.
      routes.forget(workspaceId);
    }
  }

  async function sendClaimed(
    message: ClaimedMessage,
    { mayWrite, slot }: { mayWrite: () => boolean; slot: CallSlot | undefined },
    log: Logger,
    span: Span | undefined,
  ): Promise<RunResult> {
    const { attempt } = message;
    const turn = slot === undefined ? 'call' : await slot.begin();
    // Not published, because clients see only the result of an attempt.
    log.debug('attempt started');

    const startedAt = clock.monotonic();
    let outcome = SUPPRESSED;
    if (!message.isSuppressed && turn !== 'call') outcome = NOT_CALLED_OUTCOMES[turn];
    if (!message.isSuppressed && turn === 'call') {
      const calling = startPart(tracer, 'call provider', span, { kind: 'client' });
      outcome = await endWith(calling, dependencies.callProvider(message, mayWrite), describeCall);
    }
    const durationMs = clock.monotonic() - startedAt;
    // After a failure the slot is free only when the workspace’s queue has slowed down.
    if (outcome.kind === 'accepted') slot?.end();
    // The simulated provider of test mode would hide the failures of real ones.
    if (modeOf(message.workspaceId) === 'live') {
      if (outcome.kind !== 'withheld') metrics.callSeconds.observe(durationMs / 1_000);
      const provider = message.provider?.type ?? 'none';
      metrics.outcomes.inc({ outcome: labelOf(outcome), provider });
    }
    if (outcome.kind === 'unknown' && message.provider !== null) {
      metrics.unknownAccounts.record(message.provider.id);
    }
    // Logged before the write: if the write fails permanently, the response is in the log.
    logOutcome(log, outcome, Math.round(durationMs));

    const alternatives = await findAlternatives(message, outcome);
    const writing = dependencies.transition(
      message,
      (row) => decideOutcome(row, attempt, outcome, policy, alternatives),
      // The provider's own response to our call is the strongest evidence: a message of another
      // workspace with the same account may lose the identifier.
      { reach: 'account', retryForMs: WRITE_RETRY_MS, log },
    );
    const stored = await endWith(startPart(tracer, 'store result', span), writing, describeWrite);
    if (message.isSuppressed) return NOT_CALLED;
    if (turn === 'refused') return { ...NOT_CALLED, again: true };
    await recordSignal(message, outcome);
    const result = toRunResult(outcome);
    return isSentByAnotherAccount(stored) ? { ...result, again: true } : result;
  }

  /** Never throws: if the alternatives cannot be read, the message waits for its own account. */
  async function findAlternatives(
    message: ClaimedMessage,
    outcome: CallOutcome,
  ): Promise<Alternatives> {
    const isRefusedHere =
      (outcome.kind === 'rejected' || outcome.kind === 'withheld') &&
      outcome.isAccountOnly === true;
    if (outcome.kind !== 'not_sent' && !isRefusedHere) return NO_ALTERNATIVES;
    try {
      // Such a refusal is final, so the accounts are read again: the sender may belong to an
      // account that was just added.
      return await dependencies.routes.listAlternatives(message, {
        isFresh: isRefusedHere,
        isUnthrottled: isThrottled(outcome),
      });
    } catch (error) {
      dependencies.logger.warn(
        { err: error, message_id: message.id },
        'failed to read provider accounts',
      );
      return NO_ALTERNATIVES;
    }
  }

  async function recordSignal(message: ClaimedMessage, outcome: CallOutcome): Promise<void> {
    const { provider, workspaceId } = message;
    if (provider === null) return;
    const detail = 'detail' in outcome ? outcome.detail : '';
    await dependencies.monitor.record(
      { workspaceId, ...provider },
      readAccountSignal(outcome),
      detail,
    );
  }
}

function isSentByAnotherAccount(result: TransitionResult | null): boolean {
  return (
    result?.kind === 'changed' &&
    result.change.next.dispatch === 'ready' &&
    result.change.next.failedAccounts.length > 0
  );
}

function nameOf(outcome: CallOutcome): string {
  return outcome.kind === 'not_sent' ? outcome.reason : outcome.kind;
}

/** The metric's label keeps its old name, because operators' dashboards use it. */
function labelOf(outcome: CallOutcome): string {
  const name = nameOf(outcome);
  return name === 'lease_expired' ? 'fenced' : name;
}

function describeCall(outcome: CallOutcome): SpanEnd {
  const name = nameOf(outcome);
  return outcome.kind === 'accepted'
    ? {
        attributes: {
          'switchboard.outcome': name,
          'switchboard.provider_sid': outcome.message.sid,
        },
      }
    : { attributes: { 'switchboard.outcome': name }, failure: name };
}

function describeWrite(result: TransitionResult | null): SpanEnd {
  return result === null
    ? { failure: 'not written' }
    : { attributes: { 'switchboard.dispatch': result.kind } };
}

function logOutcome(log: Logger, outcome: CallOutcome, durationMs: number): void {
  const fields = { outcome: nameOf(outcome), duration_ms: durationMs };
  if (outcome.kind === 'accepted') {
    log.info({ ...fields, provider_sid: outcome.message.sid }, 'provider answered');
  } else if (outcome.kind === 'unknown' && outcome.isMismatched === true) {
    log.error(
      { ...fields, detail: outcome.detail },
      'provider response belongs to another message',
    );
  } else if (outcome.kind === 'withheld') {
    log.info({ outcome: outcome.kind, code: outcome.code }, 'message withheld from the provider');
  } else {
    log.warn({ ...fields, detail: outcome.detail }, 'provider answered');
  }
}

function notCalled(detail: string): CallOutcome {
  return { kind: 'not_sent', reason: 'lease_expired', retryAfterMs: null, code: null, detail };
}
