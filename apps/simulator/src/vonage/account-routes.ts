import type { FastifyInstance, FastifyReply } from 'fastify';
import type { VendorAccountStore } from '../accounts/vendor-account-store.ts';
import type { VendorAccount } from '../accounts/vendor-account.ts';
import type { NumberStore } from '../numbers/number-store.ts';

interface AccountDependencies {
  accounts: Pick<VendorAccountStore, 'findByApiKey'>;
  numbers: Pick<NumberStore, 'ownedBy'>;
}

const DEFAULT_SIZE = 10;
const MAX_SIZE = 100;

/**
 * Registers the routes that Vonage offers for the API key of a whole account: the list of its numbers,
 * and its only application.
 */
export function registerVonageAccount(
  app: FastifyInstance,
  { accounts, numbers }: AccountDependencies,
): void {
  app.get<{ Querystring: { index?: string; size?: string } }>(
    '/account/numbers',
    (request, reply) => {
      const account = authenticate(accounts, request.headers.authorization);
      if (account === null) {
        const label = 'authentication failed';
        return reply.code(401).send({ 'error-code': '401', 'error-code-label': label });
      }
      const owned = numbers.ownedBy(account.id);
      if (owned.length === 0) return reply.send({});
      const size = Math.min(MAX_SIZE, Number(request.query.size ?? DEFAULT_SIZE));
      const from = (Number(request.query.index ?? 1) - 1) * size;
      return reply.send({
        count: owned.length,
        numbers: owned.slice(from, from + size).map(({ phoneNumber }) => ({
          country: 'US',
          msisdn: phoneNumber.slice(1),
          type: 'mobile-lvn',
          features: ['SMS', 'MMS', 'VOICE'],
          messagesCallbackType: 'app',
          messagesCallbackValue: account.id,
          app_id: account.id,
        })),
      });
    },
  );

  app.get<{ Params: { id: string } }>('/v2/applications/:id', (request, reply) => {
    const account = authenticate(accounts, request.headers.authorization);
    if (account === null) return refuse(reply, 401, 'Unauthorized');
    if (account.id !== request.params.id) return refuse(reply, 404, 'Not Found');
    const inbound = { address: account.inboundUrl, http_method: 'POST' };
    return reply.send({
      id: account.id,
      name: 'Simulated application',
      capabilities: {
        messages: {
          version: 'v1',
          webhooks: account.inboundUrl === '' ? {} : { inbound_url: inbound },
        },
      },
    });
  });
}

function authenticate(
  accounts: AccountDependencies['accounts'],
  authorization: string | undefined,
): VendorAccount | null {
  const encoded = /^Basic +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  const [key = '', secret] = Buffer.from(encoded, 'base64').toString().split(':');
  const account = accounts.findByApiKey(key);
  return account !== null && secret !== undefined && account.apiSecret === secret ? account : null;
}

function refuse(reply: FastifyReply, status: 401 | 404, title: string): FastifyReply {
  const type = 'https://developer.vonage.com/api-errors';
  return reply.code(status).type('application/problem+json').send({ type, title, detail: title });
}
