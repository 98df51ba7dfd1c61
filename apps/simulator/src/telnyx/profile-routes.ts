import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { VendorAccountStore } from '../accounts/vendor-account-store.ts';
import type { VendorAccount } from '../accounts/vendor-account.ts';
import type { Journal } from '../ledger/journal.ts';
import type { NumberStore } from '../numbers/number-store.ts';
import type { PhoneNumber } from '../numbers/owned-number.ts';
import { isPhoneNumber } from '../phone-number.ts';
import { refuse } from './telnyx-error.ts';

export interface ProfileDependencies {
  accounts: VendorAccountStore;
  journal: Journal;
  numbers: NumberStore;
  readAccount(request: FastifyRequest): VendorAccount;
}

/**
 * Registers the routes of an account's only messaging profile and of its numbers. Listing with a
 * complete number claims the number if it is free.
 */
export function registerProfiles(app: FastifyInstance, dependencies: ProfileDependencies): void {
  const { accounts, journal, numbers, readAccount } = dependencies;

  app.get('/messaging_profiles', async (request) =>
    formatPage(request.query, [formatProfile(readAccount(request))]),
  );

  app.get<{ Params: { id: string } }>('/messaging_profiles/:id', async (request, reply) => {
    const account = readAccount(request);
    if (request.params.id !== account.groupId) return refuse(reply, '10005');
    return { data: formatProfile(account) };
  });

  app.patch<{ Params: { id: string } }>('/messaging_profiles/:id', async (request, reply) => {
    const account = readAccount(request);
    if (request.params.id !== account.groupId) return refuse(reply, '10005');
    const { webhook_url: url } = (request.body ?? {}) as { webhook_url?: unknown };
    const changed = { ...account, inboundUrl: typeof url === 'string' ? url : account.inboundUrl };
    await accounts.put(journal, changed);
    return { data: formatProfile(changed) };
  });

  app.get('/phone_numbers/messaging', async (request) => {
    const account = readAccount(request);
    const { 'filter[phone_number]': wanted = '' } = request.query as Record<string, string>;
    if (isPhoneNumber(wanted)) await numbers.claim(journal, account.id, wanted);
    const owned = numbers
      .ownedBy(account.id)
      .filter(({ phoneNumber }) => wanted === '' || phoneNumber === wanted);
    return formatPage(
      request.query,
      owned.map((number) => formatSettings(number, account)),
    );
  });
}

function formatProfile({ groupId, inboundUrl }: VendorAccount) {
  return {
    record_type: 'messaging_profile',
    id: groupId,
    name: 'Simulated profile',
    enabled: true,
    webhook_url: inboundUrl === '' ? null : inboundUrl,
    webhook_failover_url: null,
    webhook_api_version: '2',
  };
}

function formatSettings(
  { sid, phoneNumber, friendlyName, createdAt, updatedAt }: PhoneNumber,
  account: VendorAccount,
) {
  const able = {
    domestic_two_way: true,
    international_inbound: true,
    international_outbound: true,
  };
  return {
    record_type: 'messaging_settings',
    id: sid,
    phone_number: phoneNumber,
    messaging_profile_id: account.groupId,
    country_code: phoneNumber.startsWith('+1') ? 'US' : null,
    type: /^\+18(00|33|44|55|66|77|88)/.test(phoneNumber) ? 'tollfree' : 'longcode',
    features: { sms: able, mms: phoneNumber.startsWith('+1') ? able : null },
    eligible_messaging_products: ['A2P'],
    messaging_product: 'A2P',
    traffic_type: 'A2P',
    tags: friendlyName === phoneNumber ? [] : [friendlyName],
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  };
}

/**
 * Formats one page of a list as Telnyx does: numbered from 1, with 20 entries by default and 250 at
 * most.
 */
function formatPage(query: unknown, all: object[]) {
  const { 'page[number]': given = '', 'page[size]': wanted = '' } = query as Record<string, string>;
  const number = Math.max(Number.parseInt(given, 10) || 1, 1);
  const size = Math.min(Math.max(Number.parseInt(wanted, 10) || 20, 1), 250);
  return {
    data: all.slice((number - 1) * size, number * size),
    meta: {
      total_pages: Math.ceil(all.length / size),
      total_results: all.length,
      page_number: number,
      page_size: size,
    },
  };
}
