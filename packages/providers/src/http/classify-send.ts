import type { NotSentReason, SendOutcome } from '@switchboard/core';

import type { HttpHeaders, HttpOutcome } from './origin-client.ts';
import type { ReportedError } from './read-error.ts';
import { parseRetryAfter } from './retry-after.ts';

export interface HttpResponse {
  status: number;
  headers: HttpHeaders;
  /** Null if the body is incomplete. */
  body: string | null;
}

/** The meaning of a provider's error code for the send. */
export type ErrorMeaning =
  /** Certainly not sent; the same call may succeed later. */
  | 'throttled'
  | 'credentials'
  /** Certainly not sent, and the same call would be rejected again. */
  | 'rejected'
  /** As `rejected`, but for a reason that concerns only this account: another account may send it. */
  | 'rejected_for_account'
  /** The error does not say whether the message was sent. */
  | 'ambiguous';

/** How one provider reports errors. */
export interface ProviderErrors {
  /** The provider's name in sentences. */
  name: string;
  /**
   * Reads the error. The code is null unless the body is a complete error in the provider's own
   * format; its words may be known without a code.
   */
  readProblem(response: HttpResponse): ReportedError;
  /** The meaning of a code in a response with a status from 400 to 499, except 408 and 429. */
  toMeaning(code: string, status: number): ErrorMeaning;
  isOptOut(code: string): boolean;
}

/**
 * Classifies a send that returned no message. Only a well-formed error in the provider's own format
 * proves that nothing was sent. Any other 4xx comes from an intermediary, which may have forwarded
 * the request before it answered.
 */
export function classifySend(
  outcome: HttpOutcome,
  errors: ProviderErrors,
  now: number,
): SendOutcome {
  if (outcome.kind === 'not_written') {
    return notSent(outcome.reason, null, null, outcome.detail);
  }
  if (outcome.kind === 'answered') return classifyResponse(outcome, errors, now);
  if (outcome.status === null) return { kind: 'unknown', detail: outcome.detail };
  const { status, headers } = outcome;
  const response = classifyResponse({ status, headers, body: null }, errors, now);
  return response.kind === 'unknown'
    ? { kind: 'unknown', detail: `${response.detail} ${outcome.detail}` }
    : response;
}

function classifyResponse(
  response: HttpResponse,
  errors: ProviderErrors,
  now: number,
): SendOutcome {
  const { status } = response;
  const { name } = errors;
  if (status >= 300 && status < 400) {
    const detail = `The response was a redirect (${status}), which is not followed.`;
    return { kind: 'unknown', detail };
  }
  const { code, detail: words } = errors.readProblem(response);
  if (status < 300) {
    const sentence = `${name} responded with ${status} without a readable message`;
    return { kind: 'unknown', detail: withWords(sentence, words) };
  }
  const detail = words ?? `${name} responded with ${status}.`;
  if (status >= 500 || status === 408) {
    return { kind: 'unknown', detail: withWords(`${name} responded with ${status}`, words) };
  }
  if (code === null) {
    const sentence = `The response status was ${status}, without a ${name} error`;
    return { kind: 'unknown', detail: withWords(sentence, words) };
  }
  const meaning = status === 429 ? 'throttled' : errors.toMeaning(code, status);
  switch (meaning) {
    case 'throttled': {
      const header = response.headers['retry-after'];
      const retryAfterMs = parseRetryAfter(Array.isArray(header) ? header[0] : header, now);
      return notSent('throttled', retryAfterMs, code, detail);
    }
    case 'credentials':
      return notSent('credentials', null, code, detail);
    case 'rejected':
      return { kind: 'rejected', code, detail, isOptOut: errors.isOptOut(code) };
    case 'rejected_for_account':
      return { kind: 'rejected', code, detail, isOptOut: false, isAccountOnly: true };
    case 'ambiguous': {
      const sentence = `The response status was ${status}, with the code ${code}`;
      return { kind: 'unknown', detail: withWords(sentence, words) };
    }
  }
}

/** Ends a sentence, with the words of the response if there are any. */
function withWords(sentence: string, words: string | null): string {
  if (words === null) return `${sentence}.`;
  return `${sentence}: ${words}${/[.!?]$/.test(words) ? '' : '.'}`;
}

function notSent(
  reason: NotSentReason,
  retryAfterMs: number | null,
  code: string | null,
  detail: string,
): SendOutcome {
  return { kind: 'not_sent', reason, retryAfterMs, code, detail };
}
