import type { HttpResponse, ProviderErrors } from '../http/classify-send.ts';
import { parseObject } from '../http/parse-object.ts';
import { type ReportedError, readReportedError } from '../http/read-error.ts';

/** The recipient has opted out of the messaging profile. */
const OPTED_OUT = '40300';
const THROTTLED = new Set(['10011', '40318']);
const WRONG_CREDENTIALS = new Set(['10009', '10010']);
/**
 * The sender is not registered for US traffic, is not the account's, or lacks the feature; or the
 * account may not send to this destination, or has reached its spending limit.
 */
const ACCOUNT_ONLY = new Set([
  '40010',
  '40100',
  '40305',
  '40306',
  '40308',
  '40309',
  '40312',
  '40314',
  '40315',
  '40320',
  '40321',
  '40323',
  '40329',
  '40330',
  '40331',
  '40333',
]);

export const OPT_OUT_CODES: readonly string[] = [OPTED_OUT];

/** https://developers.telnyx.com/docs/messaging/messages/error-codes */
export const ERRORS: ProviderErrors = {
  name: 'Telnyx',
  readProblem,
  toMeaning(code, status) {
    if (THROTTLED.has(code)) return 'throttled';
    // 402 and 2xxxx: the balance is too low, the account is disabled or needs verification.
    const isAboutAccount = WRONG_CREDENTIALS.has(code) || code.startsWith('20');
    if (status === 401 || status === 402 || isAboutAccount) return 'credentials';
    if (![400, 403, 404, 409, 422].includes(status)) return 'ambiguous';
    return ACCOUNT_ONLY.has(code) ? 'rejected_for_account' : 'rejected';
  },
  isOptOut,
};

export function isOptOut(code: string | null): boolean {
  return code === OPTED_OUT;
}

/** Reads the errors of a response: `{ errors: [{ code: "40300", title, detail }] }`. */
function readProblem({ body }: HttpResponse): ReportedError {
  const { code, detail } = readReportedError(parseObject(body)['errors']);
  return { code: code !== null && /^\d{5}$/.test(code) ? code : null, detail };
}
