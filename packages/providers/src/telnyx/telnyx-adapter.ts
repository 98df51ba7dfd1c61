import type { ProviderAdapter } from '@switchboard/core';

import type { AdapterOptions } from '../adapter-options.ts';
import { createJsonRequests } from '../http/json-requests.ts';
import { openApi } from '../http/open-api.ts';
import { fetchMessage } from './call-account.ts';
import { configureInbound } from './configure-inbound.ts';
import { createListNumbers } from './list-numbers.ts';
import { OPT_OUT_CODES } from './errors.ts';
import { describeCredentials, readCredentials } from './read-credentials.ts';
import { readInbound, readStatusCallback } from './read-webhook.ts';
import { probeAccount, sendMessage } from './send-message.ts';
import { hasSignature } from './signature.ts';
import { verifyAccount } from './verify-account.ts';
import { TYPE, addresses } from './webhook-addresses.ts';

const PROVIDER = { name: 'Telnyx', origin: 'https://api.telnyx.com' };

/** Creates the Telnyx adapter. Throws a `TypeError` if `apiUrl` is not an origin. */
export function createTelnyxAdapter(options: AdapterOptions): ProviderAdapter {
  const { client, fetchChecked } = openApi(options, PROVIDER);
  const exchange = createJsonRequests(client, options.callTimeoutMs);

  return {
    type: TYPE,
    // The records of sent messages have neither our reference nor a filter that could find it.
    evidence: { idempotencyKey: false, referenceInCallback: true, lookUp: 'none' },
    // The id is the public key, which no request contains.
    callsProveAccount: false,
    sendsMedia: true,
    inboundList: null,
    sessions: null,
    webhooks: {
      paths: addresses.paths,
      contentTypes: ['application/json'],
      inboundReply: { contentType: 'application/json', body: '{"ok":true}' },
    },
    optOutCodes: OPT_OUT_CODES,
    readCredentials,
    describeCredentials,
    toStatusUrl: addresses.toStatusUrl,
    toInboundUrl: addresses.toInboundUrl,
    send: (account, request, mayWrite) => sendMessage(exchange, account, request, mayWrite),
    probe: (account) => probeAccount(exchange, account),
    findSent: async () => ({ kind: 'unavailable', detail: 'Telnyx has no list of sent messages.' }),
    fetchMessage: (account, sid) => fetchMessage(exchange, account, sid),
    verifyAccount: (account) => verifyAccount(exchange, account),
    configureInbound: (account, number, url) => configureInbound(exchange, account, number, url),
    listNumbers: createListNumbers(exchange, options.callTimeoutMs),
    // Received media is public, so no credentials are sent for it.
    fetchMedia: (_account, url) => fetchChecked(url, { authorization: '', isTrusted: () => false }),
    hasSignature,
    readStatusCallback,
    readInbound,
    close: () => client.close(),
  };
}
