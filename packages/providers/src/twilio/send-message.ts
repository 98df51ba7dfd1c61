import {
  type ProviderAccount,
  type ProviderMessage,
  type SendOutcome,
  type SendRequest,
  containsText,
} from '@switchboard/core';

import { classifySend } from './classify-send.ts';
import type { AccountOpener, OpenAccount } from './open-account.ts';
import { toProviderMessage } from './provider-message.ts';

/** Creates the message at Twilio with at most one request. Never throws. */
export async function sendMessage(
  openAccount: AccountOpener,
  account: ProviderAccount,
  request: SendRequest,
  mayWrite: () => boolean,
): Promise<SendOutcome> {
  let opened: OpenAccount | null = null;
  let problem: unknown = null;
  try {
    opened = openAccount(account, mayWrite);
    const instance = await opened.client.messages.create(toParameters(account, request));
    const message = toProviderMessage(instance);
    if (message !== null) {
      const mismatch = findMismatch(message, account, request);
      if (mismatch === null) return { kind: 'accepted', message };
      const last = opened.lastOutcome();
      if (last?.kind === 'answered') last.closeConnection();
      const detail = `Twilio responded with another message: ${mismatch} does not match.`;
      return { kind: 'unknown', detail, isMismatched: true };
    }
  } catch (error) {
    // The client throws for every answer that is not a message; the outcome says more than the
    // error.
    problem = error;
  }
  const outcome = opened?.lastOutcome() ?? null;
  if (outcome !== null) return classifySend(outcome, Date.now());
  // The client rejected the account SID or the auth token before it made a request.
  const detail =
    problem instanceof Error ? problem.message : 'The account SID or the auth token is malformed.';
  return { kind: 'not_sent', reason: 'credentials', retryAfterMs: null, code: null, detail };
}

/**
 * Finds a field which shows that the answer belongs to another request, as on a connection that is
 * out of step; null if there is none. Absent fields show nothing.
 */
function findMismatch(
  message: ProviderMessage,
  account: ProviderAccount,
  request: SendRequest,
): 'the account' | 'the recipient' | 'the text' | null {
  if (message.account !== '' && message.account !== account.id) return 'the account';
  if (message.to !== '' && !isSameNumber(message.to, request.to)) return 'the recipient';
  return containsText(request.body, message.body) ? null : 'the text';
}

/** An account can be configured to hide the last four digits of numbers. */
function isSameNumber(reported: string, ours: string): boolean {
  return (
    reported === ours || (reported.endsWith('XXXX') && reported.slice(0, -4) === ours.slice(0, -4))
  );
}

function toParameters(account: ProviderAccount, request: SendRequest) {
  return {
    to: request.to,
    ...(request.from !== null
      ? { from: request.from }
      : account.senderPool !== null
        ? { messagingServiceSid: account.senderPool }
        : {}),
    ...(request.body === '' ? {} : { body: request.body }),
    ...(request.mediaUrls.length === 0 ? {} : { mediaUrl: [...request.mediaUrls] }),
    statusCallback: request.statusUrl,
  };
}
