import type { ProviderAdapter } from '@switchboard/core';

import type { AdapterOptions } from '../adapter-options.ts';
import { createJsonRequests } from '../http/json-requests.ts';
import { openApi } from '../http/open-api.ts';
import { api } from './api.ts';
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

/** Creates the Telnyx adapter. Throws a `TypeError` if `apiUrl` is not an origin. */
export function createTelnyxAdapter(options: AdapterOptions): ProviderAdapter {
  const { client, fetchChecked } = openApi(options, { name: 'Telnyx', ...api });
  const exchange = createJsonRequests(client, options.callTimeoutMs);

  return {
    type: TYPE,
    evidence: { idempotencyKey: false, referenceInCallback: true },
    // The id is the public key, which no request contains.
    callsProveAccount: false,
    sendsMedia: true,
    optOutCodes: OPT_OUT_CODES,
    readCredentials,
    describeCredentials,
    send: (account, request, mayWrite) => sendMessage(exchange, account, request, mayWrite),
    probe: (account) => probeAccount(exchange, account),
    verifyAccount: (account) => verifyAccount(exchange, account),
    close: () => client.close(),

    // The records of sent messages have neither our reference nor a filter that could find it.
    lookUp: null,
    fetchMessage: (account, sid) => fetchMessage(exchange, account, sid),
    webhooks: {
      ...addresses,
      contentTypes: ['application/json'],
      inboundReply: { contentType: 'application/json', body: '{"ok":true}' },
      hasSignature,
      readStatusCallback,
      readInbound,
    },
    // Received media is public, so no credentials are sent for it.
    redactMessage: null,
    fetchMedia: (_account, url) => fetchChecked(url, { authorization: '', isTrusted: () => false }),
    sessions: null,
    inboundList: null,
    listNumbers: createListNumbers(exchange, options.callTimeoutMs),
    configureInbound: (account, number, url) => configureInbound(exchange, account, number, url),
  };
}
