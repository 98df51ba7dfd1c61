import {
  type LookUpOutcome,
  type LookUpProof,
  type ProviderMessage,
  defaultOnUnknown,
  evidenceOf,
  mayBeAltered,
} from '@switchboard/core';
import type { DueMessage, MessageStore } from '@switchboard/database';
import type { ResolveProviderAccount } from '@switchboard/providers';

export interface FindCandidatesDependencies {
  store: Pick<MessageStore, 'readLookUpWindow'>;
  resolveProviderAccount: ResolveProviderAccount;
}

export interface Candidates {
  kind: 'found';
  /** What it proves if the message is missing from the list. */
  proof: LookUpProof;
  /** Messages with the row's text, number of media, sender and time. */
  messages: ProviderMessage[];
  /** Messages that may be the row's message with a text that the provider changed. */
  altered: ProviderMessage[];
}

export interface Unavailable extends Extract<LookUpOutcome, { kind: 'unavailable' }> {
  /** The provider can never show whether it has the message. */
  isWithoutEvidence?: boolean;
  /** Later lookups will be unavailable too. */
  isForever?: boolean;
}

/**
 * Tolerance between a claim and the provider's time of the message: network delay, and times in
 * whole seconds.
 */
export const SLACK_MS = 6_000;

/**
 * Reads candidates for the message from the provider's list, including those that a row already
 * holds.
 */
export function createFindCandidates(dependencies: FindCandidatesDependencies) {
  return async function findCandidates(row: DueMessage): Promise<Candidates | Unavailable> {
    const resolved = dependencies.resolveProviderAccount(row.workspaceId, row.provider);
    if (resolved.kind === 'unusable') {
      // The account was removed.
      const isForever = row.provider === null;
      return { kind: 'unavailable', detail: resolved.detail, isForever };
    }
    const { adapter, account } = resolved;
    const window = await dependencies.store.readLookUpWindow(row);
    const { lookUp } = adapter;
    if (window === null || lookUp === null) {
      const isWithoutEvidence = defaultOnUnknown(evidenceOf(adapter)) === 'fail';
      const detail = 'The provider cannot look up sent messages';
      return { kind: 'unavailable', detail, isWithoutEvidence, isForever: true };
    }
    const { startedAgoMs, acceptedAgoMs, mediaCount } = window;
    // If the database clock was set back after the claim, the time of the claim is not usable.
    const adoptedAgoMs = startedAgoMs >= 0 ? startedAgoMs : acceptedAgoMs;
    const now = Date.now();
    const adoptableSince = now - adoptedAgoMs - SLACK_MS;
    const since = new Date(now - Math.max(startedAgoMs, acceptedAgoMs, 0) - SLACK_MS);
    const sought = { messageId: row.id, to: row.to, from: row.from, since };
    const sent = await lookUp.findSent(account, sought);
    if (sent.kind === 'unavailable') return sent;

    const found: Candidates = { kind: 'found', proof: lookUp.proof, messages: [], altered: [] };
    if (lookUp.proof === 'by_reference') {
      found.messages = sent.messages.map((each) => ({
        ...each,
        vendorAccountId: account.vendorAccountId,
      }));
      return found;
    }
    for (const each of sent.messages) {
      const message = { ...each, vendorAccountId: account.vendorAccountId };
      if (!mayBeSentBy(message, row)) continue;
      const hasText = (message.body ?? '') === row.body;
      const hasMedia = message.mediaCount === null || message.mediaCount === mediaCount;
      const isInTime = (message.createdAt?.getTime() ?? Infinity) >= adoptableSince;
      if (hasText && hasMedia && isInTime) found.messages.push(message);
      else if (hasText || mayBeAltered(row.body, message.body)) found.altered.push(message);
    }
    return found;
  };
}

function mayBeSentBy(message: ProviderMessage, row: DueMessage): boolean {
  return (
    message.direction === 'outbound' &&
    (row.from === null || message.from === null || message.from === row.from)
  );
}
