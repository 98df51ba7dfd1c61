import type { ProviderAdapter } from '@switchboard/core';

import { createCheckedFetch } from '../http/fetch-checked.ts';
import { createOriginClient } from '../http/origin-client.ts';
import { TWILIO_ORIGIN, fetchMedia } from './fetch-media.ts';
import { fetchMessage } from './fetch-message.ts';
import { findSent } from './find-sent.ts';
import { createAccountOpener } from './open-account.ts';
import { OPT_OUT_CODES } from './error-texts.ts';
import { configureInbound } from './configure-inbound.ts';
import { createInboundList } from './inbound-list.ts';
import { describeCredentials, readCredentials } from './read-credentials.ts';
import { hasSignature, readInbound, readStatusCallback } from './read-webhook.ts';
import { TYPE, addresses } from './webhook-addresses.ts';
import { probeAccount } from './probe-account.ts';
import { sendMessage } from './send-message.ts';
import { verifyAccount } from './verify-account.ts';

export interface TwilioAdapterOptions {
  /** Origin (scheme, host and port) that replaces Twilio's; null for Twilio. */
  apiUrl: string | null;
  /** Limit for a whole call, all pages of a list included. */
  callTimeoutMs: number;
  /** Limit for opening a connection, TLS handshake included. Default 5,000. */
  connectTimeoutMs?: number;
  /** Maximum number of concurrent calls; further ones wait. Default 64. */
  maxConnections?: number;
  /** Trusted CA certificates in PEM that replace the system's. */
  ca?: string;
}

/** Equal to Twilio's own limit for media. */
const MEDIA_MAX_BYTES = 5 * 1024 * 1024;
const MEDIA_TIMEOUT_MS = 20_000;

const EMPTY_TWIML = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';

/** Creates the Twilio adapter. Throws a `TypeError` if `apiUrl` is not an origin. */
export function createTwilioAdapter(options: TwilioAdapterOptions): ProviderAdapter {
  const apiOrigin = options.apiUrl === null ? TWILIO_ORIGIN : toOrigin(options.apiUrl);
  const origin = createOriginClient({
    origin: apiOrigin,
    maxConnections: options.maxConnections ?? 64,
    connectTimeoutMs: Math.min(options.connectTimeoutMs ?? 5_000, options.callTimeoutMs),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  const fetchChecked = createCheckedFetch({
    timeoutMs: MEDIA_TIMEOUT_MS,
    maxBytes: MEDIA_MAX_BYTES,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  const openAccount = createAccountOpener(origin, options.callTimeoutMs);

  return {
    type: TYPE,
    evidence: { idempotencyKey: false, referenceInCallback: true, lookUp: 'by_content' },
    inboundList: createInboundList(openAccount),
    webhooks: {
      paths: addresses.paths,
      contentType: 'application/x-www-form-urlencoded',
      inboundReply: { contentType: 'text/xml; charset=utf-8', body: EMPTY_TWIML },
    },
    optOutCodes: OPT_OUT_CODES,
    readCredentials,
    describeCredentials,
    toStatusUrl: addresses.toStatusUrl,
    toInboundUrl: addresses.toInboundUrl,
    send: (account, request, mayWrite) => sendMessage(openAccount, account, request, mayWrite),
    probe: (account) => probeAccount(openAccount, account),
    findSent: (account, query) => findSent(openAccount, account, query),
    fetchMessage: (account, sid) => fetchMessage(openAccount, account, sid),
    verifyAccount: (account) => verifyAccount(openAccount, account),
    configureInbound: (account, number, url) => configureInbound(openAccount, account, number, url),
    fetchMedia: (account, url) => fetchMedia(fetchChecked, apiOrigin, account, url),
    hasSignature,
    readStatusCallback,
    readInbound,
    close: () => origin.close(),
  };
}

function toOrigin(apiUrl: string): string {
  const url = new URL(apiUrl);
  const isOrigin = url.href === `${url.origin}/` && /^https?:$/.test(url.protocol);
  if (!isOrigin)
    throw new TypeError(
      'The URL of the Twilio API must be an http(s) origin, for example https://api.twilio.com',
    );
  return url.origin;
}
