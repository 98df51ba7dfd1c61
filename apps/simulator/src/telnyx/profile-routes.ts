import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { VendorAccountStore } from '../accounts/vendor-account-store.ts';
import type { VendorAccount } from '../accounts/vendor-account.ts';
import type { Journal } from '../ledger/journal.ts';
import type { NumberStore } from '../numbers/number-store.ts';
import { isPhoneNumber } from '../phone-number.ts';
import { refuse } from './telnyx-error.ts';

export interface ProfileDependencies {
  accounts: VendorAccountStore;
  journal: Journal;
  numbers: NumberStore;
  readAccount(request: FastifyRequest): VendorAccount;
}

/**
 * The one messaging profile of an account, and its numbers. Listing with a complete number claims it
 * if it is free.
 */
export function registerProfiles(app: FastifyInstance, dependencies: ProfileDependencies): void {
  const { accounts, journal, numbers, readAccount } = dependencies;

  app.get('/messaging_profiles', async (request) =>
    formatPage([formatProfile(readAccount(request))]),
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
      owned.map(({ sid, phoneNumber }) => ({
        record_type: 'messaging_settings',
        id: sid,
        phone_number: phoneNumber,
        messaging_profile_id: account.groupId,
      })),
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

function formatPage(data: object[]) {
  const meta = {
    total_pages: 1,
    total_results: data.length,
    page_number: 1,
    page_size: Math.max(data.length, 20),
  };
  return { data, meta };
}
