import type { AccountCheck, ProviderAccount } from '@switchboard/core';

import type { JsonRequests } from '../http/json-requests.ts';
import { toObject } from '../http/parse-object.ts';
import { readText } from '../http/read-text.ts';
import { callAccount } from './call-account.ts';
import { normalizePublicKey } from './signature.ts';

const FAILED = { ok: false, isRefused: false, isUnavailable: false };

/**
 * Checks the API key, the messaging profile, and that the public key belongs to the account of the
 * API key, with a sentence for the workspace owner.
 */
export async function verifyAccount(
  exchange: JsonRequests,
  account: ProviderAccount,
): Promise<AccountCheck> {
  const checked = await checkApiKey(exchange, account);
  return checked.ok ? checkPublicKey(exchange, account, checked.detail) : checked;
}

async function checkApiKey(
  exchange: JsonRequests,
  account: ProviderAccount,
): Promise<AccountCheck> {
  const { senderPool } = account;
  const path =
    senderPool === null
      ? '/v2/messaging_profiles?page[size]=1'
      : `/v2/messaging_profiles/${encodeURIComponent(senderPool)}`;
  const response = await callAccount(exchange, account, { method: 'GET', path });
  if (response.kind === 'refused') {
    if (senderPool !== null && response.status === 404) {
      const detail = 'Telnyx accepts the API key, but the account has no such messaging profile.';
      return { ...FAILED, detail };
    }
    const isRefused = response.status === 401 || response.status === 403;
    return { ...FAILED, isRefused, detail: `Telnyx refused the API key: ${response.detail}` };
  }
  if (response.kind === 'unavailable') {
    return { ...FAILED, isUnavailable: true, detail: `Telnyx is unavailable: ${response.detail}` };
  }
  const { data } = response.value;
  if (typeof data !== 'object' || data === null) {
    const detail = 'Telnyx is unavailable: the response contains no messaging profile.';
    return { ...FAILED, isUnavailable: true, detail };
  }
  const name = readText(toObject(data)['name']);
  const detail =
    name === null
      ? 'Telnyx accepts the API key.'
      : `Telnyx accepts the API key for the messaging profile “${name}”.`;
  return { ...FAILED, ok: true, detail };
}

/**
 * Compares the public key with the one that Telnyx has for the account of the API key: the webhooks
 * of an account with an unchecked key could be signed by anyone.
 */
async function checkPublicKey(
  exchange: JsonRequests,
  account: ProviderAccount,
  acceptedDetail: string,
): Promise<AccountCheck> {
  const response = await callAccount(exchange, account, { method: 'GET', path: '/v2/public_key' });
  if (response.kind === 'refused') {
    const reason = `Telnyx does not show the public key of the account: ${response.detail}`;
    const detail = `\`public_key\` could not be checked, so webhooks are not accepted. ${reason}`;
    return { ...FAILED, isRefused: response.status === 401, detail };
  }
  if (response.kind === 'unavailable') {
    return { ...FAILED, isUnavailable: true, detail: `Telnyx is unavailable: ${response.detail}` };
  }
  const shown = readText(toObject(response.value['data'])['public']);
  const current = shown === null ? null : normalizePublicKey(shown);
  if (current === null) {
    const detail = 'Telnyx is unavailable: the response contains no public key.';
    return { ...FAILED, isUnavailable: true, detail };
  }
  if (current !== account.vendorAccountId) {
    const detail = `\`public_key\` does not belong to the account of the API key, whose public key is ${current}`;
    return { ...FAILED, isRefused: true, refusedName: 'public_key', detail };
  }
  return { ...FAILED, ok: true, detail: acceptedDetail };
}
