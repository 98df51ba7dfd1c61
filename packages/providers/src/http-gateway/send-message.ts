import type {
  AccountCheck,
  ProbeOutcome,
  ProviderAccount,
  SendOutcome,
  SendRequest,
} from '@switchboard/core';
import { createAcceptedMessage } from '../create-accepted-message.ts';
import { classifySend } from '../http/classify-send.ts';
import type { HttpOutcome } from '../http/origin-client.ts';
import { toProbeOutcome } from '../http/to-probe-outcome.ts';
import { withholdUnsendable } from '../withhold-unsendable.ts';
import { type GatewayConfig, openConfig } from './config.ts';
import type { GatewayExchange } from './gateway-exchange.ts';
import { createErrors, readAccepted, readRefusal } from './read-response.ts';
import { renderRequest, toValues, usesPlaceholder } from './render-request.ts';

/** Sends the message with at most one request. Never throws. */
export async function sendMessage(
  exchange: GatewayExchange,
  account: ProviderAccount,
  request: SendRequest,
  mayWrite: () => boolean,
): Promise<SendOutcome> {
  const config = openConfig(account);
  if (request.mediaUrls.length > 0) {
    return withholdUnsendable('media_not_supported', 'An HTTP gateway cannot send media.');
  }
  if (request.from === null && usesPlaceholder(config, 'from')) {
    return withholdUnsendable('no_sender', 'The gateway needs a sender, and the message has none.');
  }
  const values = toValues(config, request);
  const rendered = renderRequest(config, request, values);
  if (rendered === null) {
    const detail = 'The charset of the gateway’s template lacks a character of the message.';
    return withholdUnsendable('text_not_in_charset', detail);
  }
  const { origin, ...exchanged } = rendered;
  const outcome = await exchange(origin, exchanged, mayWrite);
  if (outcome.kind === 'answered') {
    const refusal = readRefusal(outcome, config);
    if (refusal !== null) return refusal;
    const sid = readAccepted(outcome, config, values);
    if (sid !== null) {
      const message = createAcceptedMessage(sid, account, request, 'accepted');
      return { kind: 'accepted', message };
    }
  }
  return classifySend(outcome, createErrors(config), Date.now());
}

/**
 * Whether the response to the OPTIONS request below comes from a working server. Many servers do not
 * support OPTIONS.
 */
function isWorking(status: number): boolean {
  const isRefusal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return status < 300 || isRefusal || status === 501;
}

/**
 * Requests the methods of the URL. This is the only request that certainly sends nothing at an
 * unknown gateway.
 */
async function requestOptions(
  exchange: GatewayExchange,
  config: GatewayConfig,
): Promise<HttpOutcome> {
  const { url, headers } = config.send;
  const [base = ''] = url.split('?');
  const path = new URL(base.includes('{{') ? base.slice(0, base.indexOf('{{')) : base);
  const shown = Object.entries(headers).filter(
    // Servers refuse a content type without a body.
    ([name, value]) => name !== 'content-type' && !value.includes('{{'),
  );
  return exchange(path.origin, {
    method: 'OPTIONS',
    path: path.pathname,
    headers: { 'user-agent': 'switchboard', ...Object.fromEntries(shown) },
    body: null,
  });
}

export async function probeAccount(
  exchange: GatewayExchange,
  account: ProviderAccount,
): Promise<ProbeOutcome> {
  const config = openConfig(account);
  const optionsOutcome = await requestOptions(exchange, config);
  const outcome = classifySend(optionsOutcome, createErrors(config), Date.now());
  if (
    outcome.kind === 'unknown' &&
    optionsOutcome.kind === 'answered' &&
    isWorking(optionsOutcome.status)
  ) {
    return { kind: 'answered' };
  }
  return toProbeOutcome(outcome);
}

/** Checks that the gateway responds. Only a message can show whether it accepts messages. */
export async function verifyAccount(
  exchange: GatewayExchange,
  account: ProviderAccount,
): Promise<AccountCheck> {
  const outcome = await requestOptions(exchange, openConfig(account));
  const failed = { ok: false, isRefused: false, isUnavailable: false };
  if (outcome.kind !== 'answered') {
    const detail = `The gateway does not respond: ${outcome.detail}`;
    return { ...failed, isUnavailable: true, detail };
  }
  const { status } = outcome;
  if (status === 401 || status === 403) {
    const detail = `The gateway responded with ${status}: it rejects the header values.`;
    return { ...failed, isRefused: true, detail };
  }
  if (isWorking(status)) {
    const detail = 'The gateway responds. Send a message to see whether it accepts messages.';
    return { ok: true, isRefused: false, isUnavailable: false, detail };
  }
  const redirect = status < 400 ? ', a redirect, which is not followed' : '';
  const detail = `The gateway does not work: it responded with ${status}${redirect}.`;
  return { ...failed, isUnavailable: true, detail };
}
