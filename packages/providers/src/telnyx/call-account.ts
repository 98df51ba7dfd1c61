import type { AccountCheck, FetchOutcome, ProviderAccount } from '@switchboard/core';

import {
  type JsonAnswer,
  type JsonRequest,
  type JsonRequests,
  toJsonAnswer,
} from '../http/json-requests.ts';
import { toObject } from '../http/parse-object.ts';
import { readText } from '../http/read-text.ts';
import { ERRORS } from './errors.ts';
import { toProviderMessage } from './provider-message.ts';

/** Makes a Telnyx request that changes no message. Never throws. */
export async function callAccount(
  exchange: JsonRequests,
  { secret }: ProviderAccount,
  request: Omit<JsonRequest, 'authorization'>,
): Promise<JsonAnswer> {
  const authorization = `Bearer ${secret}`;
  return toJsonAnswer(await exchange({ ...request, authorization }), ERRORS);
}

/** Fetches the current state of a message, which Telnyx keeps for ten days. */
export async function fetchMessage(
  exchange: JsonRequests,
  account: ProviderAccount,
  sid: string,
): Promise<FetchOutcome> {
  const path = `/v2/messages/${encodeURIComponent(sid)}`;
  const answer = await callAccount(exchange, account, { method: 'GET', path });
  if (answer.kind === 'answered') {
    const message = toProviderMessage(answer.value, account);
    if (message !== null) return { kind: 'found', message };
    return { kind: 'unavailable', detail: 'The response contains no message.' };
  }
  if (answer.kind === 'refused' && answer.status === 404) return { kind: 'missing' };
  return { kind: 'unavailable', detail: answer.detail };
}

/**
 * Checks the API key and the messaging profile, with a sentence for the workspace owner. Telnyx has
 * no resource that shows the public key, so the first webhook checks it.
 */
export async function verifyAccount(
  exchange: JsonRequests,
  account: ProviderAccount,
): Promise<AccountCheck> {
  const { senderPool } = account;
  const path =
    senderPool === null
      ? '/v2/messaging_profiles?page[size]=1'
      : `/v2/messaging_profiles/${encodeURIComponent(senderPool)}`;
  const answer = await callAccount(exchange, account, { method: 'GET', path });
  const failed = { ok: false, isRefused: false, isUnavailable: false };
  if (answer.kind === 'refused') {
    if (senderPool !== null && answer.status === 404) {
      const detail = 'Telnyx accepts the API key, but the account has no such messaging profile.';
      return { ...failed, detail };
    }
    const isRefused = answer.status === 401 || answer.status === 403;
    return { ...failed, isRefused, detail: `Telnyx refused the API key: ${answer.detail}` };
  }
  if (answer.kind === 'unavailable') {
    return { ...failed, isUnavailable: true, detail: `Telnyx is unavailable: ${answer.detail}` };
  }
  const { data } = answer.value;
  if (typeof data !== 'object' || data === null) {
    const detail = 'Telnyx is unavailable: the response contains no messaging profile.';
    return { ...failed, isUnavailable: true, detail };
  }
  const name = readText(toObject(data)['name']);
  const detail =
    name === null
      ? 'Telnyx accepts the API key.'
      : `Telnyx accepts the API key for the messaging profile “${name}”.`;
  return { ok: true, isRefused: false, isUnavailable: false, detail };
}
