import type {
  AccountCheck,
  ProbeOutcome,
  ProviderAccount,
  SendOutcome,
  SendRequest,
} from '@switchboard/core';
import { createAcceptedMessage } from '../create-accepted-message.ts';
import { type ErrorMeaning, type ProviderErrors, classifySend } from '../http/classify-send.ts';
import type { HttpOutcome } from '../http/origin-client.ts';
import { readText } from '../http/read-text.ts';
import { toProbeOutcome } from '../http/to-probe-outcome.ts';
import { withholdUnsendable } from '../withhold-unsendable.ts';
import { type GatewayConfig, openConfig } from './config.ts';
import type { GatewayExchange } from './gateway-exchange.ts';
import { renderRequest, usesPlaceholder } from './render-request.ts';
import { isIdentifier, parseBody, readPath } from './value-path.ts';

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
  const { origin, ...rendered } = renderRequest(config, request);
  const outcome = await exchange(origin, rendered, mayWrite);
  const sid = readSid(outcome, config, request);
  return sid === null
    ? classifySend(outcome, createErrors(config), Date.now())
    : { kind: 'accepted', message: createAcceptedMessage(sid, account, request, 'accepted') };
}

/**
 * Returns the gateway's identifier of an accepted message; null if it has not accepted the message.
 */
function readSid(
  outcome: HttpOutcome,
  { accepted }: GatewayConfig,
  request: SendRequest,
): string | null {
  if (outcome.kind !== 'answered' || !accepted.statuses.includes(outcome.status)) return null;
  if (accepted.id_path === null) return request.messageId;
  const sid = readPath(parseAnswer(outcome), accepted.id_path);
  return sid !== null && isIdentifier(sid) ? sid : null;
}

function parseAnswer({ body, headers }: { body: string; headers: Record<string, unknown> }) {
  const type = headers['content-type'];
  return parseBody(body, typeof type === 'string' ? type : '');
}

/**
 * Interprets errors as the owner has configured them: only the statuses in `refused` prove that
 * nothing was sent, and only with a code if the configuration has a path for it. A 429 always
 * proves it.
 */
function createErrors({ refused }: GatewayConfig): ProviderErrors {
  return {
    name: 'HTTP gateway',
    readProblem({ status, headers, body }) {
      if (body === null) return { code: null, detail: null };
      if (refused?.statuses.includes(status) !== true) {
        return { code: status === 429 ? 'http_429' : null, detail: null };
      }
      const parsed = parseAnswer({ body, headers });
      const { code_path: codePath, detail_path: detailPath } = refused;
      return {
        code: codePath === null ? `http_${status}` : readText(readPath(parsed, codePath)),
        detail: detailPath === null ? null : readText(readPath(parsed, detailPath)),
      };
    },
    toMeaning: (_code, status): ErrorMeaning =>
      status === 401 || status === 403 ? 'credentials' : 'rejected',
    isOptOut: () => false,
  };
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
