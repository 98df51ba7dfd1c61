import {
  type BusNotice,
  type Decision,
  type DispatchPolicy,
  type DispatchRow,
  type Settled,
  type StatusCallback,
  decideDirectEvidence,
  mergeEvidence,
  settleMessage,
} from '@switchboard/core';
import type { MessageStore, OrphanCallbackStore, TraceableRow } from '@switchboard/database';

export interface RecordCallbackDependencies {
  messages: Pick<MessageStore, 'readRow' | 'findRowByProviderSid' | 'apply' | 'recordDuplicate'>;
  orphans: OrphanCallbackStore;
  policy: DispatchPolicy;
  publishLater(notice: BusNotice): void;
}

export type CallbackResult =
  | 'recorded'
  /** It said nothing new. */
  | 'unchanged'
  /** Kept until a row learns the identifier. */
  | 'kept'
  /** The provider took the message a second time. */
  | 'duplicate'
  /** The message belongs to another workspace. */
  | 'foreign';

/** Told of the message that a callback speaks of, before anything is written. */
type OnMessage = (row: TraceableRow) => void;

/**
 * Merges a verified status callback into the message that it speaks of: the one that its address
 * names, where there is such a one, or else the one that has its identifier.
 */
export function createRecordStatusCallback(dependencies: RecordCallbackDependencies) {
  const { messages, orphans, policy } = dependencies;

  async function settle(
    id: string,
    decide: (row: DispatchRow) => Decision,
    known: DispatchRow | null,
  ): Promise<Settled> {
    const settled = await settleMessage(messages, id, decide, policy, { known });
    if (settled.kind === 'changed') {
      for (const notice of settled.notices) dependencies.publishLater(notice);
      if (settled.learned !== null) {
        const { account, sid } = settled.learned;
        for (const kept of await orphans.take(account, sid)) {
          await settle(id, (row) => mergeEvidence(row, kept, policy), null);
        }
      }
    }
    return settled;
  }

  async function recordDuplicate(id: string, sid: string): Promise<CallbackResult> {
    const recorded = await messages.recordDuplicate(id, sid);
    if (recorded === null) return 'unchanged';
    dependencies.publishLater({ kind: 'message', messageId: id, ...recorded });
    return 'duplicate';
  }

  /** To the row that holds the identifier; null when there is none. */
  async function recordOnHolder(
    workspaceId: string,
    callback: StatusCallback,
    onMessage: OnMessage,
  ): Promise<CallbackResult | null> {
    const holder = await messages.findRowByProviderSid(callback.accountSid, callback.sid);
    if (holder === null) return null;
    if (holder.workspaceId !== workspaceId) return 'foreign';
    onMessage(holder);
    const merge = (row: DispatchRow): Decision => mergeEvidence(row, callback, policy);
    const settled = await settle(holder.id, merge, holder);
    return settled.kind === 'changed' ? 'recorded' : 'unchanged';
  }

  return async function recordStatusCallback(
    workspaceId: string,
    addressed: TraceableRow | null,
    callback: StatusCallback,
    onMessage: OnMessage,
  ): Promise<CallbackResult> {
    if (addressed !== null) {
      if (addressed.workspaceId !== workspaceId) return 'foreign';
      onMessage(addressed);
      const decide = (row: DispatchRow): Decision =>
        decideDirectEvidence(row, callback, policy, 'callback');
      const settled = await settle(addressed.id, decide, addressed);
      switch (settled.kind) {
        case 'changed':
          return 'recorded';
        case 'unchanged':
          return 'unchanged';
        case 'duplicate':
        case 'sid_held':
          // Of two equal texts, another row may have adopted this one: then it is that row's word.
          return (
            (await recordOnHolder(workspaceId, callback, onMessage)) ??
            (await recordDuplicate(addressed.id, callback.sid))
          );
        case 'missing':
          break;
      }
    }

    const recorded = await recordOnHolder(workspaceId, callback, onMessage);
    if (recorded !== null) return recorded;
    await orphans.keep(workspaceId, callback);
    // A row may have learned the identifier just before it was kept.
    const holder = await messages.findRowByProviderSid(callback.accountSid, callback.sid);
    if (holder === null) return 'kept';
    for (const kept of await orphans.take(callback.accountSid, callback.sid)) {
      await recordOnHolder(workspaceId, kept, onMessage);
    }
    return 'recorded';
  };
}
