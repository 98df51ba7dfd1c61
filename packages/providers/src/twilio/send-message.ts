import type { ProviderAccount, SendOutcome, SendRequest } from '@switchboard/core';

import { classifySend } from './classify-send.ts';
import type { AccountOpener, OpenAccount } from './open-account.ts';
import { toProviderMessage } from './provider-message.ts';
import { CONNECTION_OVERRIDES } from './webhook-url.ts';

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
    if (message !== null) return { kind: 'accepted', message };
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

function toParameters(account: ProviderAccount, request: SendRequest) {
  return {
    to: request.to,
    ...(request.from !== null
      ? { from: request.from }
      : account.messagingServiceSid !== null
        ? { messagingServiceSid: account.messagingServiceSid }
        : {}),
    ...(request.body === '' ? {} : { body: request.body }),
    ...(request.mediaUrls.length === 0 ? {} : { mediaUrl: [...request.mediaUrls] }),
    statusCallback: request.statusCallbackUrl + CONNECTION_OVERRIDES,
  };
}
