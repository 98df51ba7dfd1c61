import type { ProviderAdapter } from '@switchboard/core';
import type { AdapterOptions } from '../adapter-options.ts';
import { createWebhookAddresses } from '../webhook-addresses.ts';
import { completeCredentials } from './complete-credentials.ts';
import { describeCredentials } from './describe-credentials.ts';
import { createGatewayExchange } from './gateway-exchange.ts';
import { readCredentials } from './read-credentials.ts';
import { readInbound, readStatusCallback } from './read-webhook.ts';
import { probeAccount, sendMessage, verifyAccount } from './send-message.ts';
import { hasSignature } from './signature.ts';

const TYPE = 'http';

const addresses = createWebhookAddresses(TYPE, 'providerId');
const NO_RECORDS = 'The service cannot read the records of an HTTP gateway.';

/**
 * Creates the adapter for gateways that their owners describe: a template of the request that sends
 * a message, and the paths of the values in the response and the webhooks.
 */
export function createHttpGatewayAdapter(options: AdapterOptions): ProviderAdapter {
  const { exchange, close } = createGatewayExchange(options);
  return {
    type: TYPE,
    // The weakest evidence, which every gateway offers. Some also report statuses with our
    // reference.
    evidence: { idempotencyKey: false, referenceInCallback: false, lookUp: 'none' },
    callsProveAccount: true,
    sendsMedia: false,
    inboundList: null,
    sessions: null,
    webhooks: {
      paths: addresses.paths,
      contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
      inboundReply: { contentType: 'application/json', body: '{"ok":true}' },
    },
    optOutCodes: [],
    readCredentials,
    completeCredentials,
    describeCredentials,
    toStatusUrl: addresses.toStatusUrl,
    toInboundUrl: addresses.toInboundUrl,
    send: (account, request, mayWrite) => sendMessage(exchange, account, request, mayWrite),
    probe: (account) => probeAccount(exchange, account),
    findSent: async () => ({ kind: 'unavailable', detail: NO_RECORDS }),
    fetchMessage: async () => ({ kind: 'unavailable', detail: NO_RECORDS }),
    verifyAccount: (account) => verifyAccount(exchange, account),
    // The owner enters the URL at the gateway.
    configureInbound: async () => 'manual',
    listNumbers: null,
    fetchMedia: async () => ({ kind: 'missing' }),
    hasSignature,
    readStatusCallback,
    readInbound,
    close,
  };
}
