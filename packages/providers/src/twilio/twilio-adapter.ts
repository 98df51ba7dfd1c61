import type { ProviderAdapter } from '@switchboard/core';

import type { AdapterOptions } from '../adapter-options.ts';
import { openApi } from '../http/open-api.ts';
import { api } from './api.ts';
import { fetchMedia } from './fetch-media.ts';
import { fetchMessage } from './fetch-message.ts';
import { findSent } from './find-sent.ts';
import { createAccountOpener } from './open-account.ts';
import { OPT_OUT_CODES } from './error-texts.ts';
import { configureInbound } from './configure-inbound.ts';
import { createInboundList } from './inbound-list.ts';
import { listNumbers } from './list-numbers.ts';
import { describeCredentials, readCredentials } from './read-credentials.ts';
import { hasSignature, readInbound, readStatusCallback } from './read-webhook.ts';
import { TYPE, addresses } from './webhook-addresses.ts';
import { probeAccount } from './probe-account.ts';
import { redactMessage } from './redact-message.ts';
import { createSendMessage } from './send-message.ts';
import { verifyAccount } from './verify-account.ts';

const EMPTY_TWIML = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';

/** Creates the Twilio adapter. Throws a `TypeError` if `apiUrl` is not an origin. */
export function createTwilioAdapter(options: AdapterOptions): ProviderAdapter {
  const { apiOrigin, client, fetchChecked } = openApi(options, {
    name: 'Twilio',
    ...api,
  });
  const openAccount = createAccountOpener(client, options.callTimeoutMs);

  return {
    type: TYPE,
    evidence: { idempotencyKey: false, referenceInCallback: true },
    callsProveAccount: true,
    sendsMedia: true,
    optOutCodes: OPT_OUT_CODES,
    readCredentials,
    describeCredentials,
    send: createSendMessage({ client, openAccount, callTimeoutMs: options.callTimeoutMs }),
    probe: (account) => probeAccount(openAccount, account),
    verifyAccount: (account) => verifyAccount(openAccount, account),
    close: () => client.close(),

    lookUp: {
      proof: 'by_content',
      findSent: (account, query) => findSent(openAccount, account, query),
    },
    fetchMessage: (account, sid) => fetchMessage(openAccount, account, sid),
    webhooks: {
      ...addresses,
      contentTypes: ['application/x-www-form-urlencoded'],
      inboundReply: { contentType: 'text/xml; charset=utf-8', body: EMPTY_TWIML },
      hasSignature,
      readStatusCallback,
      readInbound,
    },
    redactMessage: (account, sid) => redactMessage(openAccount, account, sid),
    fetchMedia: (account, url) => fetchMedia(fetchChecked, apiOrigin, account, url),
    sessions: null,
    inboundList: createInboundList(openAccount),
    listNumbers: (account, url) => listNumbers(openAccount, account, url),
    configureInbound: (account, number, url) => configureInbound(openAccount, account, number, url),
  };
}
