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

/** Creates the message at Twilio with one request at most. Never throws. */
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
      const detail = `Twilio answered for another message: ${mismatch} is not ours.`;
      return { kind: 'unknown', detail, isMismatched: true };
    }
  } catch (error) {
    // The client throws for everything that is no message; the outcome knows more than the error.
    problem = error;
  }
  const outcome = opened?.lastOutcome() ?? null;
  if (outcome !== null) return classifySend(outcome, Date.now());
  // The client refused the account's identifier or token before it made a request.
  const detail = problem instanceof Error ? problem.message : 'The account cannot be used.';
  return { kind: 'not_sent', reason: 'credentials', retryAfterMs: null, code: null, detail };
}

/**
 * What shows that the answer is another request's, as over a connection that is out of step; null
 * for ours. What the answer does not tell shows nothing.
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

/** An account may have Twilio hide the last four digits of numbers. */
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
