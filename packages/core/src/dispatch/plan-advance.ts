import {
  MESSAGE_STATUSES,
  type MessageStatus,
  isFinalStatus,
  mergeStatus,
} from '../message-status.ts';
import type { StatusCallback } from '../ports/status-callback.ts';
import type { DispatchPolicy } from './dispatch-policy.ts';

/** The account that signed a report, with the credentials that proved it. */
export interface ProvedAccount {
  id: string;
  workspaceId: string;
  sealedSecret: string;
}

/**
 * A report that almost always has one effect, so that it can be written without reading the
 * message: the status is replaced. For a message in the usual state, `decideDirectEvidence` makes
 * the same decision: the provider accepted its only send, direct evidence proves the identifier,
 * its status is the provider's, and no error was reported.
 */
export interface StatusAdvance {
  messageId: string;
  account: ProvedAccount;
  sid: string;
  from: string | null;
  status: MessageStatus;
  /** The statuses that `status` replaces, separated by spaces. */
  replaces: string;
  /** Milliseconds until the sweeper must check the message again; null for never. */
  dueInMs: number | null;
}

/** Plans the change that a report causes; null if its effect always depends on the message. */
export function planAdvance(
  account: ProvedAccount,
  { messageId, sid, from, status, errorCode, errorDetail }: StatusCallback,
  { pollsMs }: Pick<DispatchPolicy, 'pollsMs'>,
): StatusAdvance | null {
  if (messageId === null || status === null) return null;
  if (errorCode !== null || errorDetail !== null) return null;
  return {
    messageId,
    account,
    sid,
    from,
    status,
    replaces: replacedBy(status),
    dueInMs: isFinalStatus(status) ? null : (pollsMs[0] ?? null),
  };
}

const replaced = new Map<MessageStatus, string>();

function replacedBy(status: MessageStatus): string {
  let names = replaced.get(status);
  if (names === undefined) {
    names = MESSAGE_STATUSES.filter((current) => mergeStatus(current, status) !== current).join(
      ' ',
    );
    replaced.set(status, names);
  }
  return names;
}
