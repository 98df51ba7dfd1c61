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
    evidence: { idempotencyKey: false, referenceInCallback: false },
    callsProveAccount: true,
    sendsMedia: false,
    optOutCodes: [],
    readCredentials,
    completeCredentials,
    describeCredentials,
    send: (account, request, mayWrite) => sendMessage(exchange, account, request, mayWrite),
    probe: (account) => probeAccount(exchange, account),
    verifyAccount: (account) => verifyAccount(exchange, account),
    close,

    lookUp: null,
    fetchMessage: null,
    webhooks: {
      ...addresses,
      contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
      inboundReply: { contentType: 'application/json', body: '{"ok":true}' },
      hasSignature,
      readStatusCallback,
      readInbound,
    },
    redactMessage: null,
    fetchMedia: null,
    sessions: null,
    inboundList: null,
    listNumbers: null,
    // The owner enters the URL at the gateway.
    configureInbound: null,
  };
}
