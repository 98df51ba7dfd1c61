import {
  type ProviderAccount,
  type ProviderMessage,
  type SendOutcome,
  type SendRequest,
  containsText,
} from '@switchboard/core';

import type { OriginClient } from '../http/origin-client.ts';
import { classifySend } from './classify-send.ts';
import { type AccountOpener, encodeForm, formatBasic } from './open-account.ts';
import { parseProviderMessage } from './provider-message.ts';

const CONTENT_TYPE = 'application/x-www-form-urlencoded';

export interface SendMessageDependencies {
  client: Pick<OriginClient, 'exchange'>;
  openAccount: AccountOpener;
  callTimeoutMs: number;
}

/**
 * Creates messages at Twilio with at most one request each. Never throws.
 *
 * The request is the one that the `twilio` package writes, but without the package: every message would
 * pay for its client, its URLs and its dates. All other requests to Twilio use the package.
 */
export function createSendMessage({ client, openAccount, callTimeoutMs }: SendMessageDependencies) {
  return async function sendMessage(
    account: ProviderAccount,
    request: SendRequest,
    mayWrite: () => boolean,
  ): Promise<SendOutcome> {
    const problem = findCredentialProblem(openAccount, account);
    if (problem !== null) {
      const reason = 'credentials';
      return { kind: 'not_sent', reason, retryAfterMs: null, code: null, detail: problem };
    }
    const outcome = await client.exchange(
      {
        method: 'POST',
        path: `/2010-04-01/Accounts/${encodeURIComponent(account.vendorAccountId)}/Messages.json`,
        headers: {
          'content-type': CONTENT_TYPE,
          accept: 'application/json',
          'user-agent': 'switchboard',
          authorization: formatBasic(account.vendorAccountId, account.secret),
        },
        body: encodeForm(toFields(account, request)),
      },
      { timeoutMs: callTimeoutMs, mayWrite },
    );
    const isCreated = outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
    const message = isCreated ? parseProviderMessage(outcome.body) : null;
    if (!isCreated || message === null) return classifySend(outcome, Date.now());
    const mismatch = findMismatch(message, account, request);
    if (mismatch === null) return { kind: 'accepted', message };
    outcome.closeConnection();
    const detail = `Twilio responded with another message: ${mismatch} does not match.`;
    return { kind: 'unknown', detail, isMismatched: true };
  };
}

/** Returns why the `twilio` package would refuse the credentials before a request, or null. */
function findCredentialProblem(
  openAccount: AccountOpener,
  account: ProviderAccount,
): string | null {
  const isSecretGiven = account.secret !== '';
  if (isSecretGiven && /^AC\w+$/.test(account.vendorAccountId)) return null;
  const malformed = 'The account SID or the auth token is malformed.';
  if (!isSecretGiven || account.vendorAccountId === '') return malformed;
  try {
    // This property checks the account SID.
    void openAccount(account).client.messages;
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : malformed;
  }
}

/**
 * Finds a field which shows that the response belongs to another request, as on a connection that is
 * out of step; null if there is none. Absent fields show nothing.
 */
function findMismatch(
  message: ProviderMessage,
  account: ProviderAccount,
  request: SendRequest,
): 'the account' | 'the recipient' | 'the text' | null {
  if (message.vendorAccountId !== '' && message.vendorAccountId !== account.vendorAccountId)
    return 'the account';
  if (message.to !== '' && !isSameNumber(message.to, request.to)) return 'the recipient';
  return containsText(request.body, message.body) ? null : 'the text';
}

/** An account can be configured to hide the last four digits of numbers. */
function isSameNumber(reported: string, ours: string): boolean {
  return (
    reported === ours || (reported.endsWith('XXXX') && reported.slice(0, -4) === ours.slice(0, -4))
  );
}

function toFields(account: ProviderAccount, request: SendRequest) {
  return {
    To: request.to,
    ...(request.from !== null
      ? { From: request.from }
      : account.senderPool !== null
        ? { MessagingServiceSid: account.senderPool }
        : {}),
    ...(request.body === '' ? {} : { Body: request.body }),
    ...(request.mediaUrls.length === 0 ? {} : { MediaUrl: request.mediaUrls }),
    StatusCallback: request.statusUrl,
  };
}
