import type { SendOutcome } from '@switchboard/core';

import {
  type HttpResponse,
  type ProviderErrors,
  classifySend as classify,
} from '../http/classify-send.ts';
import type { HttpOutcome } from '../http/origin-client.ts';
import { parseObject } from '../http/parse-object.ts';
import { type ReportedError, readReportedError } from '../http/read-error.ts';
import { findErrorText, isOptOutCode } from './error-texts.ts';

/** Codes that mean throttling whatever the HTTP status: the sender's queue is full. */
const QUEUE_FULL = new Set(['21611', '30001']);
const WRONG_CREDENTIALS = '20003';
/**
 * Refusals that concern only this account: another provider may have the route or the permission.
 * 21408: region not enabled. 21606: the sender is not the account's. 21608: trial account. 21612: no route.
 */
const ACCOUNT_ONLY = new Set(['21408', '21606', '21608', '21612']);

const ERRORS: ProviderErrors = {
  name: 'Twilio',
  readProblem,
  toMeaning(code, status) {
    if (QUEUE_FULL.has(code)) return 'throttled';
    if (status === 401 || code === WRONG_CREDENTIALS) return 'credentials';
    // 403 concerns the account, unless the code is about the message (21xxx).
    if (status === 403 && !code.startsWith('21')) return 'credentials';
    if (status !== 400 && status !== 403 && status !== 404) return 'ambiguous';
    return ACCOUNT_ONLY.has(code) ? 'rejected_for_account' : 'rejected';
  },
  isOptOut: isOptOutCode,
};

/** Classifies a send that returned no message. */
export function classifySend(outcome: HttpOutcome, now: number): SendOutcome {
  return classify(outcome, ERRORS, now);
}

/**
 * Reads the code and the words of an error response. The code is null unless the body is a Twilio
 * error: a JSON object whose code is a five-digit number and whose status, if any, equals the HTTP
 * status.
 */
export function readProblem(response: HttpResponse): ReportedError {
  const problem = parseObject(response.body);
  const { status = response.status } = problem;
  const isTwilioError = isErrorCode(problem['code']) && status === response.status;
  const reported = readReportedError(problem);
  const code = isTwilioError ? reported.code : null;
  return { code, detail: reported.detail ?? findErrorText(code) };
}

function isErrorCode(code: unknown): boolean {
  return Number.isInteger(code) && Number(code) >= 10_000 && Number(code) <= 99_999;
}
