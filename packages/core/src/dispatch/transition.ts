import type { BusNotification } from '../ports/event-bus.ts';
import {
  type AppliedDecision,
  type ChangeStore,
  type ProviderIdentifier,
  type Reach,
  applyDecision,
} from './apply-decision.ts';
import { decideUnknown } from './decide-outcome.ts';
import type { DispatchPolicy } from './dispatch-policy.ts';
import type { Decision, DispatchRow, MessageKey } from './dispatch-row.ts';
import { type ProviderReport, mergeEvidence } from './evidence.ts';
import { isOwnSid } from './provider-identifier.ts';

export interface TransitionStore extends ChangeStore {
  /** Null if the timeline already reports that the provider also accepted it as `sid`. */
  recordDuplicate(
    key: MessageKey,
    sid: string,
  ): Promise<{ workspaceId: string; seq: number } | null>;
}

/** The part of a logger that transitions use. */
export interface TransitionLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

interface Counted {
  inc(): void;
}

export interface TransitionDependencies {
  store: TransitionStore;
  unmatchedCallbacks: {
    take(vendorAccountId: string, sid: string): Promise<readonly ProviderReport[]>;
  };
  publishLater(notification: BusNotification): void;
  policy: DispatchPolicy;
  metrics: { duplicates: Counted; unmatchedMerged: Counted; failedWrites: Counted };
}

export interface TransitionOptions {
  log: TransitionLog;
  /** Default `workspace`. */
  reach?: Reach;
  /** The vendor's account that the evidence belongs to. Default: the row's. */
  vendorAccountId?: string;
  /** How long a failed write is retried, in milliseconds. Default 0: it is tried once. */
  retryForMs?: number;
}

export type TransitionResult =
  | Exclude<AppliedDecision, { kind: 'duplicate' | 'changed' }>
  | Omit<Extract<AppliedDecision, { kind: 'changed' }>, 'notifications'>
  /**
   * This row has another identifier. Without a holder, the provider has accepted the message twice, and
   * `isNew` is false if that was reported before.
   */
  | {
      kind: 'duplicate';
      row: DispatchRow;
      sid: string;
      holder: DispatchRow | null;
      isNew: boolean;
    };

/** The message's key, or its row if it was just read, which saves a read. */
type MessageOrKey = MessageKey | DispatchRow;

/**
 * Makes a decision about a message and writes it. Then publishes the event, merges the callbacks that
 * waited for the identifier of the message, and reports a message that the provider accepted twice.
 *
 * @throws the last error of the database once `retryForMs` is over
 */
export type Transition = (
  message: MessageOrKey,
  decide: (row: DispatchRow) => Decision,
  options: TransitionOptions,
) => Promise<TransitionResult>;

/**
 * Reports a message that the provider accepted twice, once per identifier. Resolves to false if it
 * was reported before.
 */
export type ReportDuplicate = (
  message: MessageKey & { providerSid: string | null },
  sid: string,
  log: TransitionLog,
) => Promise<boolean>;

const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 2_000;

/**
 * Creates the function by which every stored message changes, except for claims and for callbacks with the
 * usual effect (`plan-advance.ts`).
 */
export function createTransition(dependencies: TransitionDependencies): {
  transition: Transition;
  reportDuplicate: ReportDuplicate;
} {
  const { store, unmatchedCallbacks, publishLater, policy, metrics } = dependencies;

  async function transition(
    message: MessageOrKey,
    decide: (row: DispatchRow) => Decision,
    options: TransitionOptions,
  ): Promise<TransitionResult> {
    const deadline = performance.now() + (options.retryForMs ?? 0);
    const { workspaceId, id } = message;
    const key = { workspaceId, id };
    let known = 'version' in message ? message : null;
    for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)) {
      try {
        return await transitionOnce(key, known, decide, options);
      } catch (error) {
        metrics.failedWrites.inc();
        if (performance.now() + retryMs > deadline) throw error;
        options.log.warn({ err: error, retry_ms: retryMs }, 'failed to write a change, retrying');
        // The failed write may have been committed, so the next round reads the row and decides again.
        known = null;
        await new Promise<void>((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  async function transitionOnce(
    key: MessageKey,
    known: DispatchRow | null,
    decide: (row: DispatchRow) => Decision,
    { log, reach = 'workspace', vendorAccountId }: TransitionOptions,
  ): Promise<TransitionResult> {
    const applied = await applyDecision(store, key, decide, policy, { known, reach });
    switch (applied.kind) {
      case 'changed': {
        const { notifications, ...changed } = applied;
        for (const notification of notifications) publishLater(notification);
        const { newIdentifier } = changed;
        if (newIdentifier !== null) {
          if (isOwnSid(newIdentifier.sid, key.id)) {
            const fields = { message_id: key.id, provider_sid: newIdentifier.sid };
            log.warn(fields, 'the provider gave two messages the same identifier');
          }
          await mergeUnmatched(key, newIdentifier, log);
        }
        return changed;
      }
      case 'duplicate': {
        const { row, sid } = applied;
        const of = vendorAccountId ?? row.vendorAccountId;
        const holder = of === null ? null : await store.findRowByProviderSid(of, sid);
        // Two messages with equal texts may hold each other's identifier. In that case, nothing was
        // sent twice.
        const isNew = holder === null && (await reportDuplicate(row, sid, log));
        return { ...applied, holder, isNew };
      }
      case 'sid_held':
        // The response to our own call contradicts direct evidence of the holder, so that the outcome of this
        // row is unknown.
        if (reach === 'account' && !applied.isAdoption) {
          const { id: heldBy, providerSid } = applied.holder;
          metrics.duplicates.inc();
          log.error(
            { held_by: heldBy, provider_sid: providerSid },
            'duplicate: the provider gave two messages the same identifier',
          );
          const detail = `The provider accepted the message as ${providerSid}, which is the identifier of another message`;
          const doubt = (row: DispatchRow) => decideUnknown(row, row.attempt, detail, policy);
          await transitionOnce(key, null, doubt, { log });
        }
        return applied;
      case 'missing':
      case 'unchanged':
        return applied;
    }
  }

  /** Merges the callbacks that arrived before a row held the identifier. Never throws. */
  async function mergeUnmatched(
    key: MessageKey,
    { vendorAccountId, sid }: ProviderIdentifier,
    log: TransitionLog,
  ): Promise<void> {
    try {
      for (const callback of await unmatchedCallbacks.take(vendorAccountId, sid)) {
        metrics.unmatchedMerged.inc();
        const options = { log, retryForMs: LONGEST_RETRY_MS };
        await transition(key, (row) => mergeEvidence(row, callback, policy), options);
      }
    } catch (error) {
      // The identifier is stored. A poll finds the status that the callbacks reported.
      log.warn({ err: error, provider_sid: sid }, 'failed to merge unmatched callbacks');
    }
  }

  async function reportDuplicate(
    { workspaceId, id, providerSid }: MessageKey & { providerSid: string | null },
    sid: string,
    log: TransitionLog,
  ): Promise<boolean> {
    const recorded = await store.recordDuplicate({ workspaceId, id }, sid);
    if (recorded === null) return false;
    publishLater({ kind: 'message', messageId: id, ...recorded });
    metrics.duplicates.inc();
    log.error(
      { provider_sid: providerSid, duplicate_sid: sid },
      'duplicate: the provider accepted this message twice',
    );
    return true;
  }

  return { transition, reportDuplicate };
}
