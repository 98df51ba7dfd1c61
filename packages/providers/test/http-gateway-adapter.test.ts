import type { ProviderAdapter } from '@switchboard/core';
import type { AdapterOptions } from '../src/adapter-options.ts';
import { createHttpGatewayAdapter } from '../src/http-gateway/http-gateway-adapter.ts';
import { describeAdapterContract } from './adapter-contract/describe-adapter-contract.ts';
import {
  createGatewayAccount,
  moveAccount,
  signGatewayWebhook,
} from './http-gateway/gateway-account.ts';

const respond = (status: number, body: object) => ({ status, body: JSON.stringify(body) });

/** Creates an adapter with the gateways of all accounts at the server of the test. */
function createAdapter({ apiUrl, ...options }: AdapterOptions): ProviderAdapter {
  const adapter = createHttpGatewayAdapter({
    apiUrl: null,
    isAllowedAddress: () => true,
    ...options,
  });
  const move = (account: Parameters<ProviderAdapter['send']>[0]) =>
    moveAccount(account, apiUrl ?? '');
  return {
    ...adapter,
    send: (account, request, mayWrite) => adapter.send(move(account), request, mayWrite),
    probe: (account) => adapter.probe(move(account)),
    verifyAccount: (account) => adapter.verifyAccount(move(account)),
  };
}

describeAdapterContract('http gateway', {
  createAdapter,
  account: createGatewayAccount(),
  otherAccount: createGatewayAccount({
    signing: { header: 'X-Signature', secret: 'another signing secret', algorithm: 'hmac-sha256' },
  }),
  credentials: null,
  isVerifiedByMessagesOnly: true,
  acceptance: respond(202, { id: 'gateway-1', state: 'Pending', device: 'a phone on a desk' }),
  errors: {
    throttled: respond(429, { code: 'slow', message: 'Too many requests' }),
    credentials: respond(401, { code: 'unauthorized', message: 'No' }),
    refused: respond(422, { code: 'bad_number', message: 'The number is wrong' }),
    optedOut: null,
    accountOnly: null,
    internal: respond(500, { code: 'internal', message: 'The phone failed' }),
  },
  webhooks: { delivered: 'DELIVERED', toleranceMs: null, sign: signGatewayWebhook },
});
