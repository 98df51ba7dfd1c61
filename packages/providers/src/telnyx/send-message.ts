import {
  type ProbeOutcome,
  type ProviderAccount,
  type ProviderMessage,
  type SendOutcome,
  type SendRequest,
  containsText,
} from '@switchboard/core';

import { classifySend } from '../http/classify-send.ts';
import { type JsonRequests } from '../http/json-requests.ts';
import type { HttpOutcome } from '../http/origin-client.ts';
import { parseObject } from '../http/parse-object.ts';
import { toProbeOutcome } from '../http/to-probe-outcome.ts';
import { ERRORS } from './errors.ts';
import { toProviderMessage } from './provider-message.ts';

/** Creates the message at Telnyx with at most one request. Never throws. */
export async function sendMessage(
  exchange: JsonRequests,
  account: ProviderAccount,
  request: SendRequest,
  mayWrite: () => boolean,
): Promise<SendOutcome> {
  const outcome = await post(exchange, account, toFields(account, request), mayWrite);
  const message = toAcceptedMessage(outcome, account);
  if (message === null || outcome.kind !== 'answered') {
    return classifySend(outcome, ERRORS, Date.now());
  }
  const mismatch = findMismatch(message, request);
  if (mismatch === null) return { kind: 'accepted', message };
  outcome.closeConnection();
  const detail = `Telnyx responded with another message: ${mismatch} does not match.`;
  return { kind: 'unknown', detail, isMismatched: true };
}

/** Sends a message without a recipient, which Telnyx refuses. */
export async function probeAccount(
  exchange: JsonRequests,
  account: ProviderAccount,
): Promise<ProbeOutcome> {
  const outcome = await post(exchange, account, { text: '' });
  return toProbeOutcome(classifySend(outcome, ERRORS, Date.now()));
}

function post(
  exchange: JsonRequests,
  { secret }: ProviderAccount,
  body: object,
  mayWrite?: () => boolean,
): Promise<HttpOutcome> {
  const authorization = `Bearer ${secret}`;
  return exchange({ method: 'POST', path: '/v2/messages', authorization, body }, mayWrite);
}

function toAcceptedMessage(outcome: HttpOutcome, account: ProviderAccount): ProviderMessage | null {
  if (outcome.kind !== 'answered' || outcome.status < 200 || outcome.status >= 300) return null;
  return toProviderMessage(parseObject(outcome.body), account);
}

/** Finds a field which shows that the response belongs to another request. Absent fields show nothing. */
function findMismatch(
  message: ProviderMessage,
  request: SendRequest,
): 'the recipient' | 'the text' | null {
  if (message.to !== '' && message.to !== request.to) return 'the recipient';
  return containsText(request.body, message.body) ? null : 'the text';
}

const PHONE_NUMBER = /^\+\d+$/;

function toFields({ senderPool }: ProviderAccount, request: SendRequest) {
  const { from, to, body, mediaUrls, statusUrl } = request;
  // Telnyx needs the profile to select a sender, and for an alphanumeric one.
  const needsProfile = from === null || !PHONE_NUMBER.test(from);
  return {
    to,
    ...(from === null ? {} : { from }),
    ...(needsProfile && senderPool !== null ? { messaging_profile_id: senderPool } : {}),
    ...(body === '' ? {} : { text: body }),
    ...(mediaUrls.length === 0 ? {} : { media_urls: mediaUrls }),
    webhook_url: statusUrl,
    use_profile_webhooks: false,
  };
}
