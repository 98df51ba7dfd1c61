import type { FastifyInstance } from 'fastify';
import type { Journal } from '../ledger/journal.ts';
import type { NumberStore } from '../numbers/number-store.ts';
import type { VendorAccountStore } from './vendor-account-store.ts';
import {
  type VendorAccount,
  createPhoneAccount,
  createSmppAccount,
  createTelnyxAccount,
  createVonageAccount,
  isPrivateKey,
} from './vendor-account.ts';

/**
 * Creates an account, and returns the credentials that the service's form requires. Given credentials
 * are kept; a known account gets the given `inbound_url`.
 */
export function registerVendorAccounts(
  app: FastifyInstance,
  accounts: VendorAccountStore,
  journal: Journal,
  smppAddress: () => { host: string; port: number },
  numbers: Pick<NumberStore, 'claim'>,
): void {
  app.post('/accounts', async (request, reply) => {
    const {
      type,
      credentials = {},
      inbound_url: inboundUrl,
      max_binds: maxBinds,
      number,
    } = toFields(request.body);
    const known = toFields(credentials);
    if (type !== 'telnyx' && type !== 'vonage' && type !== 'smpp' && type !== 'http') {
      const detail = '`type` must be telnyx, vonage, smpp or http';
      return reply.code(400).send({ error: 'invalid_params', detail });
    }
    if (known['private_key'] !== undefined && !isPrivateKey(textOf(known['private_key']) ?? '')) {
      const detail = '`private_key` must be a private key in PEM format';
      return reply.code(400).send({ error: 'invalid_params', detail });
    }
    if (maxBinds !== undefined && (!Number.isInteger(maxBinds) || Number(maxBinds) < 0)) {
      const detail = '`max_binds` must be a whole number of at least 0';
      return reply.code(400).send({ error: 'invalid_params', detail });
    }
    const found = findOrCreate[type](known);
    if (found.provider !== type) {
      const detail = `The identifier belongs to an account at ${found.provider}`;
      return reply.code(400).send({ error: 'invalid_params', detail });
    }
    const account = {
      ...found,
      inboundUrl: textOf(inboundUrl) ?? found.inboundUrl,
      ...(typeof maxBinds === 'number' && { maxBinds }),
    };
    await accounts.put(journal, account);
    if (typeof number === 'string') await numbers.claim(journal, account.id, number);
    return reply.code(201).send({ type, credentials: toCredentials(account, smppAddress()) });
  });

  const findOrCreate = {
    telnyx: findOrCreateTelnyx,
    vonage: findOrCreateVonage,
    smpp: findOrCreateSmpp,
    http: findOrCreatePhone,
  };

  function findOrCreateTelnyx(known: Record<string, unknown>): VendorAccount {
    const apiKey = textOf(known['api_key']);
    const kept = apiKey === undefined ? null : accounts.findBySecret('telnyx', apiKey);
    return kept ?? createTelnyxAccount(apiKey);
  }

  function findOrCreateVonage(known: Record<string, unknown>): VendorAccount {
    const id = textOf(known['application_id']);
    const kept = id === undefined ? null : accounts.find(id);
    if (kept !== null) return kept;
    const secret = textOf(known['signature_secret']);
    const privateKey = textOf(known['private_key']);
    const apiKey = textOf(known['api_key']);
    const apiSecret = textOf(known['api_secret']);
    return createVonageAccount({
      ...(id !== undefined && { id }),
      ...(secret !== undefined && { secret }),
      ...(privateKey !== undefined && { privateKey }),
      ...(apiKey !== undefined && { apiKey }),
      ...(apiSecret !== undefined && { apiSecret }),
    });
  }

  function findOrCreatePhone(known: Record<string, unknown>): VendorAccount {
    const id = textOf(known['username']);
    const kept = id === undefined ? null : accounts.find(id);
    if (kept !== null) return kept;
    const password = textOf(known['password']);
    return createPhoneAccount({
      ...(id !== undefined && { id }),
      ...(password !== undefined && { password }),
    });
  }

  function findOrCreateSmpp(known: Record<string, unknown>): VendorAccount {
    const id = textOf(known['system_id']);
    const kept = id === undefined ? null : accounts.find(id);
    if (kept !== null) return kept;
    const password = textOf(known['password']);
    return createSmppAccount({
      ...(id !== undefined && { id }),
      ...(password !== undefined && { password }),
    });
  }
}

function toCredentials(
  { provider, id, secret, privateKey, groupId, apiSecret }: VendorAccount,
  smpp: { host: string; port: number },
) {
  switch (provider) {
    case 'telnyx':
      return { api_key: secret, public_key: id, messaging_profile_id: groupId };
    case 'vonage':
      return {
        application_id: id,
        private_key: privateKey,
        signature_secret: secret,
        ...(apiSecret !== undefined && { api_key: groupId, api_secret: apiSecret }),
      };
    case 'smpp':
      return { ...smpp, tls: false, system_id: id, password: secret };
    case 'http':
      return { username: id, password: secret, signing_key: privateKey };
  }
}

function toFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
