import type { ProviderAdapter } from '@switchboard/core';

import type { AdapterOptions } from '../adapter-options.ts';
import { createJsonRequests } from '../http/json-requests.ts';
import { openApi } from '../http/open-api.ts';
import { api, toNumbersUrl } from './api.ts';
import { describeCredentials, readCredentials } from './credentials.ts';
import { OPT_OUT_CODES } from './errors.ts';
import { createListNumbers } from './list-numbers.ts';
import { readInbound, readStatusCallback } from './read-webhook.ts';
import { probeAccount, sendMessage, verifyAccount } from './send-message.ts';
import { hasSignature } from './signature.ts';
import { TYPE, addresses } from './webhook-addresses.ts';

/** The API of the account's numbers. */
const NUMBERS = { name: 'Vonage', origin: 'https://rest.nexmo.com' };

/** Creates the adapter for Vonage's Messages API. Throws a `TypeError` if `apiUrl` is not an origin. */
export function createVonageAdapter(options: AdapterOptions): ProviderAdapter {
  const { client, fetchChecked } = openApi(options, { name: 'Vonage', ...api });
  const exchange = createJsonRequests(client, options.callTimeoutMs);
  const numbers = openApi({ ...options, apiUrl: toNumbersUrl(options.apiUrl) }, NUMBERS);

  return {
    type: TYPE,
    evidence: { idempotencyKey: false, referenceInCallback: true },
    callsProveAccount: true,
    sendsMedia: true,
    optOutCodes: OPT_OUT_CODES,
    readCredentials,
    describeCredentials,
    send: (account, request, mayWrite) => sendMessage(exchange, account, request, mayWrite),
    probe: (account) => probeAccount(exchange, account),
    verifyAccount: (account) => verifyAccount(exchange, account),
    close: async () => {
      await Promise.all([client.close(), numbers.client.close()]);
    },

    // Vonage shows its records only with the API key and the API secret of the whole account, not with the
    // application's key.
    lookUp: null,
    fetchMessage: null,
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
    listNumbers: createListNumbers(
      {
        numbers: createJsonRequests(numbers.client, options.callTimeoutMs),
        applications: exchange,
      },
      options.callTimeoutMs,
    ),
    // The URL belongs to the application, and its owner enters it in Vonage's dashboard.
    configureInbound: null,
  };
}
