import type {
  AccountCheck,
  ProbeOutcome,
  ProviderAccount,
  ProviderMessage,
  SendOutcome,
  SendRequest,
} from '@switchboard/core';

import { createAcceptedMessage } from '../create-accepted-message.ts';
import { classifySend } from '../http/classify-send.ts';
import type { JsonRequests } from '../http/json-requests.ts';
import { parseObject } from '../http/parse-object.ts';
import { readText } from '../http/read-text.ts';
import { toProbeOutcome } from '../http/to-probe-outcome.ts';
import { withholdUnsendable } from '../withhold-unsendable.ts';
import { createToken } from './create-token.ts';
import { ERRORS } from './errors.ts';
import { toContent } from './message-content.ts';
import { toVonageAddress } from './phone-number.ts';

const ID = /^[\w-]{1,64}$/;

/** Creates the message at Vonage with at most one request. Never throws. */
export async function sendMessage(
  exchange: JsonRequests,
  account: ProviderAccount,
  request: SendRequest,
  mayWrite: () => boolean,
): Promise<SendOutcome> {
  const { from, to, body, mediaUrls, messageId, statusUrl } = request;
  if (from === null) {
    return withholdUnsendable('no_sender', 'Vonage needs a sender, and the message has none.');
  }
  return post(
    exchange,
    account,
    {
      ...toContent(body, mediaUrls),
      to: toVonageAddress(to),
      from: toVonageAddress(from),
      client_ref: messageId,
      webhook_url: statusUrl,
      webhook_version: 'v1',
    },
    (sid) => createAcceptedMessage(sid, account, request, 'accepted'),
    mayWrite,
  );
}

/** Sends a message without a recipient, which Vonage refuses. */
export async function probeAccount(
  exchange: JsonRequests,
  account: ProviderAccount,
): Promise<ProbeOutcome> {
  const fields = { ...toContent('', []), to: '', from: '' };
  return toProbeOutcome(await post(exchange, account, fields, () => null));
}

/**
 * Checks the application's key with a probe, because Vonage has no other resource that accepts this
 * key.
 */
export async function verifyAccount(
  exchange: JsonRequests,
  account: ProviderAccount,
): Promise<AccountCheck> {
  const probed = await probeAccount(exchange, account);
  const failed = { ok: false, isRefused: false, isUnavailable: false };
  switch (probed.kind) {
    case 'answered': {
      const detail = 'Vonage accepts the application and its private key.';
      return { ok: true, isRefused: false, isUnavailable: false, detail };
    }
    case 'refused': {
      const detail = `Vonage refused the application ID or the private key: ${probed.detail}`;
      return { ...failed, isRefused: true, detail };
    }
    case 'throttled':
    case 'failed': {
      const detail = `Vonage is unavailable: ${probed.detail}`;
      return { ...failed, isUnavailable: true, detail };
    }
  }
}

async function post(
  exchange: JsonRequests,
  account: ProviderAccount,
  body: object,
  toAccepted: (sid: string) => ProviderMessage | null,
  mayWrite?: () => boolean,
): Promise<SendOutcome> {
  const token = createToken(account, Date.now());
  if (token === null) {
    const detail = 'The private key of the Vonage application is malformed.';
    return { kind: 'not_sent', reason: 'credentials', retryAfterMs: null, code: null, detail };
  }
  const outcome = await exchange(
    { method: 'POST', path: '/v1/messages', authorization: `Bearer ${token}`, body },
    mayWrite,
  );
  if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300) {
    const sid = readText(parseObject(outcome.body)['message_uuid']);
    const message = sid !== null && ID.test(sid) ? toAccepted(sid) : null;
    if (message !== null) return { kind: 'accepted', message };
  }
  return classifySend(outcome, ERRORS, Date.now());
}
