import {
  type ListedNumber,
  type ListedNumbers,
  MAX_LISTED_NUMBERS,
  type ProviderAccount,
  readSenderKind,
} from '@switchboard/core';
import type { IncomingPhoneNumberInstance } from 'twilio/lib/rest/api/v2010/account/incomingPhoneNumber.js';

import { readText } from '../http/read-text.ts';
import { callAccount } from './call-account.ts';
import { sendsTo } from './number-webhook.ts';
import type { AccountOpener } from './open-account.ts';

/** Twilio's limit. */
const PAGE_SIZE = 1_000;

/** Lists the numbers of the account, with the URL that each sends its inbound messages to. */
export async function listNumbers(
  openAccount: AccountOpener,
  account: ProviderAccount,
  url: string,
): Promise<ListedNumbers> {
  const response = await callAccount(openAccount, account, ({ incomingPhoneNumbers }) =>
    // One more than the limit shows that there are more.
    incomingPhoneNumbers.list({ pageSize: PAGE_SIZE, limit: MAX_LISTED_NUMBERS + 1 }),
  );
  if (response.kind === 'refused') {
    return { kind: 'refused', detail: `Twilio refused to list the numbers: ${response.detail}` };
  }
  if (response.kind === 'unavailable') {
    return { kind: 'unavailable', detail: `Twilio is unavailable: ${response.detail}` };
  }
  const owned = response.value;
  return {
    kind: 'read',
    numbers: owned.slice(0, MAX_LISTED_NUMBERS).flatMap((each) => toListed(each, url)),
    isComplete: owned.length <= MAX_LISTED_NUMBERS,
  };
}

function toListed(instance: IncomingPhoneNumberInstance, url: string): ListedNumber[] {
  const { phoneNumber: number } = instance;
  const kind = typeof number === 'string' ? readSenderKind(number) : null;
  if (kind !== 'long_code' && kind !== 'toll_free') return [];
  const name = readText(instance.friendlyName) ?? '';
  return [
    {
      number,
      kind,
      // A number without a name has itself as its name, such as (415) 555-0100.
      label: /[^\d\s()+.-]/.test(name) ? name : '',
      capabilities: readCapabilities(instance.capabilities),
      ...readInbound(instance, url),
    },
  ];
}

/** Twilio writes the names in capitals in some responses. */
function readCapabilities(given: object | null | undefined): ListedNumber['capabilities'] {
  const able = Object.entries(given ?? {}).flatMap(([name, is]) =>
    is === true ? [name.toLowerCase()] : [],
  );
  return (['sms', 'mms'] as const).filter((name) => able.includes(name));
}

function readInbound(
  instance: IncomingPhoneNumberInstance,
  url: string,
): Pick<ListedNumber, 'inbound' | 'inboundUrl'> {
  if (sendsTo(instance, url)) return { inbound: 'here', inboundUrl: null };
  // An SMS application has URLs of its own, which are not in the list.
  if (instance.smsApplicationSid) return { inbound: 'elsewhere', inboundUrl: null };
  const inboundUrl = readText(instance.smsUrl);
  return { inbound: inboundUrl === null ? 'nowhere' : 'elsewhere', inboundUrl };
}
