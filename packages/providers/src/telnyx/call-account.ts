import type { FetchOutcome, ProviderAccount } from '@switchboard/core';

import {
  type JsonResponse,
  type JsonRequest,
  type JsonRequests,
  toJsonResponse,
} from '../http/json-requests.ts';
import { ERRORS } from './errors.ts';
import { toProviderMessage } from './provider-message.ts';

/** Makes a Telnyx request that changes no message. Never throws. */
export async function callAccount(
  exchange: JsonRequests,
  { secret }: ProviderAccount,
  request: Omit<JsonRequest, 'authorization'>,
): Promise<JsonResponse> {
  const authorization = `Bearer ${secret}`;
  return toJsonResponse(await exchange({ ...request, authorization }), ERRORS);
}

/** Fetches the current state of a message, which Telnyx keeps for ten days. */
export async function fetchMessage(
  exchange: JsonRequests,
  account: ProviderAccount,
  sid: string,
): Promise<FetchOutcome> {
  const path = `/v2/messages/${encodeURIComponent(sid)}`;
  const response = await callAccount(exchange, account, { method: 'GET', path });
  if (response.kind === 'answered') {
    const message = toProviderMessage(response.value, account);
    if (message !== null) return { kind: 'found', message };
    return { kind: 'unavailable', detail: 'The response contains no message.' };
  }
  if (response.kind === 'refused' && response.status === 404) return { kind: 'missing' };
  return { kind: 'unavailable', detail: response.detail };
}
