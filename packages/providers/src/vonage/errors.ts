import type { HttpAnswer, ProviderErrors } from '../http/classify-send.ts';
import { parseObject, toObject } from '../http/parse-object.ts';
import { readText } from '../http/read-text.ts';

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

/** Reads an error response: `{ type: "https://developer.vonage.com/api-errors/messages#1120", … }`. */
function readProblem({ body, status }: HttpAnswer): { code: string | null; detail: string } {
  const { code, detail } = readError(parseObject(body));
  return { code, detail: detail ?? `Vonage responded with ${status}.` };
}

const VENDOR_HOST = /(^|\.)(vonage|nexmo)\.com$/;
const CODE = /^[\w-]{1,32}$/;

/** Reads an error of a response or of a status webhook. The fragment of `type` is the code. */
export function readError(error: unknown): { code: string | null; detail: string | null } {
  const { type, title, detail } = toObject(error);
  const url = typeof type === 'string' && URL.canParse(type) ? new URL(type) : null;
  const code = url === null ? '' : url.hash.slice(1);
  const isCode = url !== null && VENDOR_HOST.test(url.hostname) && CODE.test(code);
  return { code: isCode ? code : null, detail: readText(detail) ?? readText(title) };
}
