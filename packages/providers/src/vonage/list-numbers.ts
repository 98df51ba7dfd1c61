import {
  type ListedNumber,
  type ListedNumbers,
  type ListNumbers,
  MAX_LISTED_NUMBERS,
  type ProviderAccount,
  isPhoneNumber,
} from '@switchboard/core';

import type { HttpOutcome } from '../http/origin-client.ts';
import type { JsonRequests } from '../http/json-requests.ts';
import { type JsonObject, parseObject, toObject } from '../http/parse-object.ts';
import { readText } from '../http/read-text.ts';
import { openSecrets } from './credentials.ts';
import { readNumber } from '../numbers/read-number.ts';

/** Vonage's limit. */
const PAGE_SIZE = 100;

const NO_KEY =
  'Vonage lists numbers only with the API key and the API secret of the whole account, which this provider account does not have.';

type NumbersResponse =
  | Exclude<ListedNumbers, { kind: 'read' }>
  | { kind: 'answered'; value: JsonObject };

/** What an application does with the messages to its numbers. */
interface Application {
  id: string;
  inboundUrl: string | null;
}

/**
 * Lists the numbers that the application of the account has, and those that no application has:
 * https://developer.vonage.com/en/api/numbers and https://developer.vonage.com/en/api/application.v2
 */
export function createListNumbers(
  exchanges: { numbers: JsonRequests; applications: JsonRequests },
  callTimeoutMs: number,
): ListNumbers {
  return async (account, url) => {
    const authorization = authorize(account);
    if (authorization === null) return { kind: 'refused', detail: NO_KEY };
    const endsAt = performance.now() + callTimeoutMs;
    const read = async (exchange: JsonRequests, path: string) =>
      readResponse(await exchange({ method: 'GET', path, authorization }));

    const application = await read(
      exchanges.applications,
      `/v2/applications/${encodeURIComponent(account.vendorAccountId)}`,
    );
    if (application.kind !== 'answered') return application;
    if (application.value['id'] !== account.vendorAccountId)
      return unavailable('the response describes another application.');
    const ours = { id: account.vendorAccountId, inboundUrl: readInboundUrl(application.value) };

    const numbers: ListedNumber[] = [];
    for (let page = 1, seen = 0; ; page += 1) {
      const path = `/account/numbers?index=${page}&size=${PAGE_SIZE}`;
      const response = await read(exchanges.numbers, path);
      if (response.kind !== 'answered') return response;
      // An account without numbers gets an empty object.
      const { numbers: items = [], count = 0 } = response.value;
      if (!Array.isArray(items) || typeof count !== 'number') {
        return unavailable('the response has no list.');
      }
      numbers.push(...items.flatMap((item) => toListed(toObject(item), ours, url)));
      seen += items.length;
      if (items.length === 0 || seen >= count) return { kind: 'read', numbers, isComplete: true };
      if (seen >= MAX_LISTED_NUMBERS) return { kind: 'read', numbers, isComplete: false };
      if (performance.now() >= endsAt) return unavailable('the list took too long.');
    }
  };
}

/** Null without the key of the whole account. */
function authorize(account: ProviderAccount): string | null {
  const { apiKey, apiSecret } = openSecrets(account);
  if (apiKey === '' || apiSecret === '') return null;
  return `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`;
}

/** These APIs write their errors in other formats than the Messages API does. */
function readResponse(outcome: HttpOutcome): NumbersResponse {
  if (outcome.kind !== 'answered') return unavailable(outcome.detail);
  const { status, body } = outcome;
  const value = parseObject(body);
  if (status >= 200 && status < 300) {
    const isObject = body.trimStart().startsWith('{');
    return isObject ? { kind: 'answered', value } : unavailable('the response is not JSON.');
  }
  const reason = readText(value['error-code-label']) ?? readText(value['title']);
  if (reason === null || status < 400 || status >= 500 || status === 429) {
    return unavailable(`it responded with ${status}.`);
  }
  return { kind: 'refused', detail: `Vonage refused to list the numbers: ${reason}` };
}

function unavailable(detail: string): NumbersResponse & ListedNumbers {
  return { kind: 'unavailable', detail: `Vonage is unavailable: ${detail}` };
}

function readInboundUrl({ capabilities }: JsonObject): string | null {
  const { webhooks } = toObject(toObject(capabilities)['messages']);
  return readText(toObject(toObject(webhooks)['inbound_url'])['address']);
}

function toListed(item: JsonObject, ours: Application, url: string): ListedNumber[] {
  const { msisdn, type, features } = item;
  const number =
    typeof msisdn === 'string' ? readNumber(msisdn, { notation: 'international' }) : '';
  if (!isPhoneNumber(number) || type === 'mobile-shortcode') return [];
  const application = readApplicationId(item);
  // Another application's number cannot send with the key of this one.
  if (application !== null && application !== ours.id) return [];
  const inboundUrl = application === null ? null : ours.inboundUrl;
  const isHere = inboundUrl === url;
  const able = Array.isArray(features) ? features : [];
  return [
    {
      number,
      kind: type === 'landline-toll-free' ? 'toll_free' : 'long_code',
      label: '',
      capabilities: (['sms', 'mms'] as const).filter((name) => able.includes(name.toUpperCase())),
      inbound: isHere ? 'here' : inboundUrl === null ? 'nowhere' : 'elsewhere',
      inboundUrl: isHere ? null : inboundUrl,
    },
  ];
}

/** Older responses name the application only as the target of the messages. */
function readApplicationId(item: JsonObject): string | null {
  const target = item['messagesCallbackType'] === 'app' ? item['messagesCallbackValue'] : null;
  return readText(item['app_id']) ?? readText(target);
}
