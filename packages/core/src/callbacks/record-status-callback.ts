import type { DispatchPolicy } from '../dispatch/dispatch-policy.ts';
import type { Decision, DispatchRow, MessageKey } from '../dispatch/dispatch-row.ts';
import { decideDirectEvidence, mergeEvidence } from '../dispatch/evidence.ts';
import type { Transition, TransitionOptions } from '../dispatch/transition.ts';
import type { AccountAddress } from '../ports/provider-account.ts';
import type { StatusCallback } from '../ports/status-callback.ts';
import { isUuid } from '../uuid-v7.ts';
import { type HolderStore, findHolder } from './find-holder.ts';

export interface RecordCallbackDependencies<Row extends DispatchRow> {
  messages: HolderStore<Row> & {
    /** Returns whether another workspace has events of the message. */
    isElsewhere(key: MessageKey): Promise<boolean>;
  };
  unmatchedCallbacks: {
    keep(account: AccountAddress, callback: StatusCallback): Promise<void>;
    take(vendorAccountId: string, sid: string): Promise<readonly StatusCallback[]>;
  };
  transition: Transition;
  policy: DispatchPolicy;
}

export type CallbackResult =
  | 'recorded'
  /** The callback has no new information. */
  | 'unchanged'
  /** The callback is stored until a row receives the identifier. */
  | 'kept'
  /** The provider accepted the message a second time. */
  | 'duplicate'
  /** The message belongs to another workspace. */
  | 'foreign';

/** A callback that certainly comes from the provider's account. */
export interface VerifiedCallback<Row extends DispatchRow> extends AccountAddress {
  /** The message of the workspace whose id the callback contains; null if there is none. */
  addressed: Row | null;
  callback: StatusCallback;
  log: TransitionOptions['log'];
  /** Called with the message of the callback before anything is written. */
  onMessage(row: Row): void;
}

export type RecordStatusCallback<Row extends DispatchRow> = (
  verified: VerifiedCallback<Row>,
) => Promise<CallbackResult>;

/** Records a callback that was kept; null if its message is still not found. */
export type RecordKeptCallback<Row extends DispatchRow> = (
  verified: VerifiedCallback<Row>,
) => Promise<CallbackResult | null>;

/**
 * Merges a verified status callback into its message: the message that the callback names, or
 * otherwise the message with its identifier. Used for webhooks and for callbacks in a provider
 * session.
 */
export function createRecordStatusCallback<Row extends DispatchRow>(
  dependencies: RecordCallbackDependencies<Row>,
): {
  recordStatusCallback: RecordStatusCallback<Row>;
  recordKeptCallback: RecordKeptCallback<Row>;
} {
  const { messages, unmatchedCallbacks, transition, policy } = dependencies;

  /** Records the callback on the row that holds the identifier; null if there is none. */
  async function recordOnHolder(verified: VerifiedCallback<Row>): Promise<CallbackResult | null> {
    const { workspaceId, callback, log, onMessage } = verified;
    const holder = await findHolder(messages, workspaceId, callback);
    if (holder === null) return null;
    if (holder.workspaceId !== workspaceId) return 'foreign';
    onMessage(holder);
    const merge = (row: DispatchRow): Decision => mergeEvidence(row, callback, policy);
    const { kind } = await transition(holder, merge, { log });
    return kind === 'changed' ? 'recorded' : 'unchanged';
  }

  /**
   * Records the callback on the row that it names; null if the callback belongs to another row.
   */
  async function recordOnAddressed(
    addressed: Row,
    verified: VerifiedCallback<Row>,
  ): Promise<CallbackResult | null> {
    const { providerId, callback, log, onMessage } = verified;
    const { vendorAccountId } = callback;
    onMessage(addressed);
    const decide = (row: DispatchRow): Decision =>
      decideDirectEvidence(row, { ...callback, providerId }, policy, 'callback');
    const result = await transition(addressed, decide, { log, vendorAccountId });
    switch (result.kind) {
      case 'changed':
        return 'recorded';
      case 'unchanged':
        return 'unchanged';
      case 'duplicate':
        if (result.holder === null) return result.isNew ? 'duplicate' : 'unchanged';
        return null;
      case 'sid_held':
      case 'missing':
        return null;
    }
  }

  async function recordStatusCallback(verified: VerifiedCallback<Row>): Promise<CallbackResult> {
    const { workspaceId, addressed, callback } = verified;
    const { messageId: id } = callback;
    if (addressed === null && id !== null && isUuid(id)) {
      if (await messages.isElsewhere({ workspaceId, id })) return 'foreign';
    }
    const onAddressed = addressed === null ? null : await recordOnAddressed(addressed, verified);
    // With two equal texts, another row may have adopted the identifier: then the callback belongs
    // to that row.
    const recorded = onAddressed ?? (await recordOnHolder(verified));
    if (recorded !== null) return recorded;
    await unmatchedCallbacks.keep(verified, callback);
    // A worker searches again for the message of such a callback.
    if (callback.match !== undefined) return 'kept';
    // A row may have received the identifier just before the callback was stored.
    const holder = await messages.findRowByProviderSid(callback.vendorAccountId, callback.sid);
    if (holder === null) return 'kept';
    for (const kept of await unmatchedCallbacks.take(callback.vendorAccountId, callback.sid)) {
      await recordOnHolder({ ...verified, callback: kept });
    }
    return 'recorded';
  }

  return { recordStatusCallback, recordKeptCallback: recordOnHolder };
}
