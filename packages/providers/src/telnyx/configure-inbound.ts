import type { InboundResult, ProviderAccount } from '@switchboard/core';

import type { JsonRequests } from '../http/json-requests.ts';
import { toList, toObject } from '../http/parse-object.ts';
import { callAccount } from './call-account.ts';

/**
 * Sets `url` as the webhook of the messaging profile that a number belongs to. A profile has one
 * webhook for all its numbers, so another service's webhook is replaced only in the profile that the
 * owner has entered for this account.
 */
export async function configureInbound(
  exchange: JsonRequests,
  account: ProviderAccount,
  number: string,
  url: string,
): Promise<InboundResult> {
  const filter = `filter[phone_number]=${encodeURIComponent(number)}`;
  const path = `/v2/phone_numbers/messaging?${filter}`;
  const listed = await callAccount(exchange, account, { method: 'GET', path });
  if (listed.kind !== 'answered' || !Array.isArray(listed.value['data'])) return 'unavailable';
  const owned = toList(listed.value['data'])
    .map(toObject)
    .find((candidate) => candidate['phone_number'] === number);
  if (owned === undefined) return 'not_owned';
  const { messaging_profile_id: profileId } = owned;
  // The owner assigns the number to a profile.
  if (typeof profileId !== 'string' || profileId === '') return 'manual';

  const profilePath = `/v2/messaging_profiles/${encodeURIComponent(profileId)}`;
  const read = await callAccount(exchange, account, { method: 'GET', path: profilePath });
  if (read.kind !== 'answered') return 'unavailable';
  const { webhook_url: current, webhook_api_version: version } = toObject(read.value['data']);
  if (current === url && version === '2') return 'configured';
  const isFree = current === null || current === '' || current === url;
  if (!isFree && profileId !== account.senderPool) return 'manual';
  const changed = await callAccount(exchange, account, {
    method: 'PATCH',
    path: profilePath,
    body: { webhook_url: url, webhook_api_version: '2' },
  });
  return changed.kind === 'answered' ? 'configured' : 'unavailable';
}
