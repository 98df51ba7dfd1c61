import type { FastifyInstance } from 'fastify';
import { formatRfc2822 } from '../rfc2822-date.ts';
import type { AccountStore } from './account-store.ts';

const SUBRESOURCES = ['incoming_phone_numbers', 'messages'] as const;
const PATHS = { incoming_phone_numbers: 'IncomingPhoneNumbers', messages: 'Messages' };

export function registerGetAccount(app: FastifyInstance, accounts: AccountStore): void {
  app.get<{ Params: { accountSid: string } }>('/Accounts/:accountSid.json', async (request) => {
    const { accountSid } = request.params;
    const { token, createdAt } = accounts.get(accountSid);
    const uri = `/2010-04-01/Accounts/${accountSid}`;
    return {
      auth_token: token,
      date_created: formatRfc2822(createdAt),
      date_updated: formatRfc2822(createdAt),
      friendly_name: 'Simulated account',
      owner_account_sid: accountSid,
      sid: accountSid,
      status: 'active',
      subresource_uris: Object.fromEntries(
        SUBRESOURCES.map((name) => [name, `${uri}/${PATHS[name]}.json`]),
      ),
      type: 'Full',
      uri: `${uri}.json`,
    };
  });
}
