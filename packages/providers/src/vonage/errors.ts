import type { HttpResponse, ProviderErrors } from '../http/classify-send.ts';
import { parseObject } from '../http/parse-object.ts';
import { type ReportedError, readReportedError } from '../http/read-error.ts';

/** The recipient has sent STOP. */
const OPTED_OUT = '1240';
const THROTTLED = new Set(['1000', '1241', 'throttled', 'rate-limit']);
/** The account is barred, or its balance is too low. */
const ABOUT_ACCOUNT = new Set(['1060', '1070', 'unauthorized', 'forbidden', 'low-balance']);
/**
 * The account may not use this sender, this feature or this destination, or there is no route to the
 * recipient.
 */
const ACCOUNT_ONLY = new Set(['1080', '1120', '1140', '1160', '1250']);
/** A failure inside Vonage, which does not say whether the message was submitted. */
const INTERNAL = new Set(['1030', '1100', '1230', '1330', '1331']);

export const OPT_OUT_CODES: readonly string[] = [OPTED_OUT];

/** https://developer.vonage.com/en/api-errors/messages */
export const ERRORS: ProviderErrors = {
  name: 'Vonage',
  readProblem,
  toMeaning(code, status) {
    if (INTERNAL.has(code)) return 'ambiguous';
    if (THROTTLED.has(code)) return 'throttled';
    if ([401, 402, 403].includes(status) || ABOUT_ACCOUNT.has(code)) return 'credentials';
    if (![400, 404, 422].includes(status)) return 'ambiguous';
    return ACCOUNT_ONLY.has(code) ? 'rejected_for_account' : 'rejected';
  },
  isOptOut,
};

export function isOptOut(code: string | null): boolean {
  return code === OPTED_OUT;
}

const VENDOR_HOST = /(^|\.)(vonage|nexmo)\.com$/;

/** Reads an error response: `{ type: "https://developer.vonage.com/api-errors/messages#1120", … }`. */
function readProblem({ body }: HttpResponse): ReportedError {
  const problem = parseObject(body);
  const { type } = problem;
  const { code, detail } = readReportedError(problem);
  const isOwn =
    typeof type === 'string' && URL.canParse(type) && VENDOR_HOST.test(new URL(type).hostname);
  return { code: isOwn ? code : null, detail };
}
