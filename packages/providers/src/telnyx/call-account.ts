import type { FetchOutcome, ProviderAccount } from '@switchboard/core';

import {
  type JsonAnswer,
  type JsonRequest,
  type JsonRequests,
  toJsonAnswer,
} from '../http/json-requests.ts';
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
