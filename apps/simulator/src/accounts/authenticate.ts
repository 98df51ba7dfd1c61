import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Journal } from '../ledger/journal.ts';
import { refuse } from '../twilio-error.ts';
import type { AccountStore } from './account-store.ts';

/** Checks HTTP basic auth. The user name must be the account in the path. */
export function createAuthenticate(accounts: AccountStore, journal: Journal) {
  return async function authenticate(request: FastifyRequest, reply: FastifyReply) {
    const { accountSid } = request.params as { accountSid: string };
    const header = request.headers.authorization ?? '';
    const [user = '', token = ''] = /^basic /i.test(header)
      ? splitOnce(Buffer.from(header.slice(6), 'base64').toString())
      : [];
    if (user === accountSid && (await accounts.authenticate(journal, accountSid, token))) return;
    return refuse(reply, 20003);
  };
}

function splitOnce(credentials: string): [string, string] {
  const colon = credentials.indexOf(':');
  return colon === -1
    ? [credentials, '']
    : [credentials.slice(0, colon), credentials.slice(colon + 1)];
}
