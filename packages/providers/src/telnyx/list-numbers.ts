import {
  type ListedNumber,
  type ListNumbers,
  MAX_LISTED_NUMBERS,
  type ProviderAccount,
  isPhoneNumber,
} from '@switchboard/core';

import type { JsonRequests } from '../http/json-requests.ts';
import { type JsonObject, toList, toObject } from '../http/parse-object.ts';
import { readText } from '../http/read-text.ts';
import { callAccount } from './call-account.ts';

/** Telnyx's limit. */
const PAGE_SIZE = 250;

type Items =
  | { kind: 'read'; items: readonly JsonObject[]; isComplete: boolean }
  | { kind: 'refused'; detail: string }
  | { kind: 'unavailable'; detail: string };

/**
 * Lists the numbers of the account with the webhook of the messaging profile that each belongs to:
 * https://developers.telnyx.com/api-reference/number-settings/list-phone-numbers-with-messaging-settings
 */
export function createListNumbers(exchange: JsonRequests, callTimeoutMs: number): ListNumbers {
  /** Reads a list page by page, until its end, the limit, or the time at which the call must end. */
  async function readAll(account: ProviderAccount, path: string, endsAt: number): Promise<Items> {
    const items: JsonObject[] = [];
    for (let page = 1; ; page += 1) {
      const query = `page[number]=${page}&page[size]=${PAGE_SIZE}`;
      const request = { method: 'GET', path: `${path}?${query}` } as const;
      const response = await callAccount(exchange, account, request);
      if (response.kind !== 'answered') {
        const problem =
          response.kind === 'refused' ? 'refused to list the numbers' : 'is unavailable';
        return { kind: response.kind, detail: `Telnyx ${problem}: ${response.detail}` };
      }
      const { data, meta } = response.value;
      if (!Array.isArray(data)) {
        return { kind: 'unavailable', detail: 'Telnyx is unavailable: the response has no list.' };
      }
      items.push(...data.map(toObject));
      const { total_pages: pages } = toObject(meta);
      if (typeof pages !== 'number' || page >= pages) {
        return { kind: 'read', items, isComplete: true };
      }
      if (items.length >= MAX_LISTED_NUMBERS) return { kind: 'read', items, isComplete: false };
      if (performance.now() >= endsAt) {
        const detail = 'Telnyx is unavailable: the list took too long.';
        return { kind: 'unavailable', detail };
      }
    }
  }

  return async (account, url) => {
    const endsAt = performance.now() + callTimeoutMs;
    const profiles = await readAll(account, '/v2/messaging_profiles', endsAt);
    if (profiles.kind !== 'read') return profiles;
    const owned = await readAll(account, '/v2/phone_numbers/messaging', endsAt);
    if (owned.kind !== 'read') return owned;
    const byId = new Map(profiles.items.map((profile) => [profile['id'], profile]));
    return {
      kind: 'read',
      numbers: owned.items.flatMap((item) =>
        toListed(item, toObject(byId.get(item['messaging_profile_id'])), url),
      ),
      isComplete: owned.isComplete,
    };
  };
}

function toListed(item: JsonObject, profile: JsonObject, url: string): ListedNumber[] {
  const { phone_number: number, type, features, tags } = item;
  if (typeof number !== 'string' || !isPhoneNumber(number)) return [];
  const able = toObject(features);
  const inboundUrl = readText(profile['webhook_url']);
  // An event in the format of version 1 cannot be read.
  const isHere = inboundUrl === url && profile['webhook_api_version'] === '2';
  const isNowhere = inboundUrl === null || inboundUrl === url;
  return [
    {
      number,
      kind: type === 'tollfree' || type === 'toll-free' ? 'toll_free' : 'long_code',
      label: readText(toList(tags)[0]) ?? '',
      capabilities: (['sms', 'mms'] as const).filter((name) => able[name] != null),
      inbound: isHere ? 'here' : isNowhere ? 'nowhere' : 'elsewhere',
      inboundUrl: isHere || isNowhere ? null : inboundUrl,
    },
  ];
}
