import type { NotSentReason, SendOutcome } from '@switchboard/core';

import type { HttpHeaders, HttpOutcome } from '../http/origin-client.ts';
import { parseRetryAfter } from '../http/retry-after.ts';
import { findErrorText, isOptOutCode } from './error-texts.ts';
import { readErrorCode, readText } from './provider-message.ts';

/** Codes that mean throttling whatever the HTTP status: the sender's queue is full. */
const QUEUE_FULL = new Set(['21611', '30001']);
const WRONG_CREDENTIALS = '20003';
/**
 * Refusals that concern this account alone: another provider may have the route or the permission.
 * 21408: region not enabled. 21606: the sender is not the account's. 21608: trial account. 21612: no route.
 */
const ACCOUNT_CODES = new Set(['21408', '21606', '21608', '21612']);

interface Answer {
  status: number;
  headers: HttpHeaders;
  /** Null if the body is incomplete. */
  body: string | null;
}

/**
 * Classifies a send that returned no message. Only a well-formed error of Twilio's own proves that
 * nothing was sent. Any other 4xx comes from an intermediary, which may have forwarded the request
 * before it answered.
 */
export function classifySend(outcome: HttpOutcome, now: number): SendOutcome {
  if (outcome.kind === 'not_written') {
    return notSent(outcome.reason, null, null, outcome.detail);
  }
  if (outcome.kind === 'answered') return classifyAnswer(outcome, now);
  if (outcome.status === null) return { kind: 'unknown', detail: outcome.detail };
  const { status, headers } = outcome;
  const answer = classifyAnswer({ status, headers, body: null }, now);
  return answer.kind === 'unknown'
    ? { kind: 'unknown', detail: `${answer.detail} ${outcome.detail}` }
    : answer;
}

function classifyAnswer(answer: Answer, now: number): SendOutcome {
  const { status } = answer;
  if (status < 400) {
    return status < 300
      ? { kind: 'unknown', detail: `Twilio answered ${status} without a readable message.` }
      : {
          kind: 'unknown',
          detail: `The answer was a redirect (${status}), which is not followed.`,
        };
  }
  if (status >= 500 || status === 408) {
    return { kind: 'unknown', detail: `Twilio answered ${status}.` };
  }

  const { code, detail } = readProblem(answer);
  if (code === null) {
    return { kind: 'unknown', detail: `The answer was ${status} without a Twilio error.` };
  }
  if (status === 429 || QUEUE_FULL.has(code)) {
    const header = answer.headers['retry-after'];
    const retryAfterMs = parseRetryAfter(Array.isArray(header) ? header[0] : header, now);
    return notSent('throttled', retryAfterMs, code, detail);
  }
  if (status === 401 || code === WRONG_CREDENTIALS) {
    return notSent('credentials', null, code, detail);
  }
  // 403 concerns the account, unless the code is about the message (21xxx).
  if (status === 403 && !isMessageCode(code)) return notSent('credentials', null, code, detail);
  if (status === 400 || status === 403 || status === 404) {
    return {
      kind: 'rejected',
      code,
      detail,
      isOptOut: isOptOutCode(code),
      ...(ACCOUNT_CODES.has(code) && { isAccountOnly: true }),
    };
  }
  return { kind: 'unknown', detail: `The answer was ${status} with the code ${code}.` };
}

function isMessageCode(code: string): boolean {
  return code.startsWith('21');
}

function notSent(
  reason: NotSentReason,
  retryAfterMs: number | null,
  code: string | null,
  detail: string,
): SendOutcome {
  return { kind: 'not_sent', reason, retryAfterMs, code, detail };
}

/**
 * Reads the code and the message of an error answer. The code is null unless the body is a Twilio
 * error: a JSON object whose code is a five-digit number and whose status, if any, equals the HTTP
 * status.
 */
export function readProblem(answer: Answer): { code: string | null; detail: string } {
  const problem = parseObject(answer.body);
  const { status = answer.status } = problem;
  const isTwilios = isErrorCode(problem['code']) && status === answer.status;
  const code = isTwilios ? readErrorCode(problem['code']) : null;
  const words =
    readText(problem['message']) ?? readText(problem['detail']) ?? readText(problem['title']);
  return { code, detail: words ?? findErrorText(code) ?? `Twilio answered ${answer.status}.` };
}

function isErrorCode(code: unknown): boolean {
  return Number.isInteger(code) && Number(code) >= 10_000 && Number(code) <= 99_999;
}

function parseObject(text: string | null): Record<string, unknown> {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Not JSON: the answer of an intermediary, which has no code.
    return {};
  }
}
