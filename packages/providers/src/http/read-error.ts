import { type JsonObject, toObject } from './parse-object.ts';
import { readText } from './read-text.ts';

/** An error as a vendor reports it. Either part may be absent, and each counts without the other. */
export interface ReportedError {
  code: string | null;
  detail: string | null;
}

const NO_ERROR: ReportedError = { code: null, detail: null };

const CODE = /^[\w.-]{1,32}$/;
const NUMBER = /^\d+$/;
const CODE_FIELDS = ['code', 'error_code'];
const WORD_FIELDS = ['message', 'detail', 'description', 'reason', 'error_message', 'title'];
const INNER_FIELDS = ['error', 'errors'];
const MAX_DEPTH = 3;

/**
 * Reads an error of a response or a webhook: an object, a list of them, a text, or an error inside another.
 * Of a list, the first error with a code counts, otherwise the first with words.
 */
export function readReportedError(value: unknown, depth = 0): ReportedError {
  if (depth > MAX_DEPTH) return NO_ERROR;
  if (Array.isArray(value)) {
    const errors = value.slice(0, 10).map((each) => readReportedError(each, depth + 1));
    return (
      errors.find(({ code }) => code !== null) ??
      errors.find(({ detail }) => detail !== null) ??
      NO_ERROR
    );
  }
  if (typeof value !== 'object') {
    const code = readErrorCode(value);
    return code !== null && NUMBER.test(code)
      ? { code, detail: null }
      : { code: null, detail: readWords(value) };
  }
  return readObject(toObject(value), depth);
}

function readObject(error: JsonObject, depth: number): ReportedError {
  const code = findValue(error, CODE_FIELDS, readErrorCode) ?? readTypedCode(error);
  const detail = findValue(error, WORD_FIELDS, readWords);
  if (code !== null && detail !== null) return { code, detail };
  for (const name of INNER_FIELDS) {
    const inner = readReportedError(error[name], depth + 1);
    if (inner.code !== null || inner.detail !== null) {
      return { code: code ?? inner.code, detail: detail ?? inner.detail };
    }
  }
  return { code, detail };
}

/**
 * Reads the code of a problem (RFC 9457): the fragment of its type, or the number of the error if a vendor
 * writes that into the title and a word into the fragment.
 */
function readTypedCode({ type, title }: JsonObject): string | null {
  const fragment =
    typeof type === 'string' && URL.canParse(type)
      ? readErrorCode(new URL(type).hash.slice(1))
      : null;
  const number = readErrorCode(title);
  const isNumbered = number !== null && NUMBER.test(number);
  return isNumbered && !NUMBER.test(fragment ?? '') ? number : fragment;
}

/** Returns an error code as text; null if it is absent or malformed, or 0, which vendors write for none. */
export function readErrorCode(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && CODE.test(text) && !/^0+$/.test(text) ? text : null;
}

/** Returns words about an error; null if there are none, or only a number. */
function readWords(value: unknown): string | null {
  const words = readText(value)?.trim() ?? '';
  return words === '' || NUMBER.test(words) ? null : words;
}

function findValue(
  error: JsonObject,
  names: readonly string[],
  read: (value: unknown) => string | null,
): string | null {
  for (const name of names) {
    const found = read(error[name]);
    if (found !== null) return found;
  }
  return null;
}
