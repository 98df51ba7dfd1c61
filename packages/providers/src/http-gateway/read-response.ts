import type { SendOutcome } from '@switchboard/core';
import { type HttpResponse, type ProviderErrors } from '../http/classify-send.ts';
import { type ReportedError, readErrorCode, readReportedError } from '../http/read-error.ts';
import { readText } from '../http/read-text.ts';
import type { GatewayConfig } from './config.ts';
import { type TemplateValues, render } from './template.ts';
import {
  type ParsedBody,
  findValue,
  isIdentifier,
  parseText,
  readPath,
  toText,
} from './value-path.ts';

export interface GatewayResponse extends HttpResponse {
  body: string;
}

/** Up to white space, or to what separates fields in text, quotes and XML. */
const IDENTIFIER = /^\s*["']?([^\s"'<>,;|]+)/;

/**
 * Returns the gateway's identifier of an accepted message; null if the response does not show that the gateway
 * has accepted the message.
 */
export function readAccepted(
  { status, body }: GatewayResponse,
  { accepted }: GatewayConfig,
  values: TemplateValues,
): string | null {
  if (!accepted.statuses.includes(status)) return null;
  const { id_path: path, id_after: after = null } = accepted;
  if (path === null && after === null) return values.id;
  const sid =
    readPath(parseText(body), path) ??
    (after === null ? null : readAfter(body, render(after, values)));
  return sid !== null && isIdentifier(sid) ? sid : null;
}

function readAfter(text: string, start: string): string | null {
  const at = text.indexOf(start);
  return at === -1 ? null : (IDENTIFIER.exec(text.slice(at + start.length))?.[1] ?? null);
}

/**
 * Returns the outcome of a response whose body says that the gateway has refused the message, whatever the
 * status; null if it does not. A 429 is left to its own rule.
 */
export function readRefusal(
  response: GatewayResponse,
  { refused }: GatewayConfig,
): SendOutcome | null {
  const { status, body } = response;
  if (refused === null || status === 429) return null;
  const parsed = parseText(body);
  const value =
    refused.path === undefined || refused.path === null
      ? undefined
      : findValue(parsed, refused.path);
  const isMarked =
    !isNothing(value, refused.success_values ?? []) ||
    (refused.starts_with ?? []).some((start) => toStart(body).startsWith(start));
  if (!isMarked) return null;
  const { code, detail } = readError(body, refused, parsed, value);
  const error = {
    code: code ?? `http_${status}`,
    detail: detail ?? `The gateway responded with ${status}.`,
  };
  return status === 401 || status === 403
    ? { kind: 'not_sent', reason: 'credentials', retryAfterMs: null, ...error }
    : { kind: 'rejected', ...error, isOptOut: false };
}

const ZERO = /^[+-]?0+(\.0*)?$/;

/** Returns whether a value means that there is no error: absent, empty, false, 0, or one that the owner lists. */
function isNothing(value: unknown, successValues: readonly string[]): boolean {
  if (value === undefined || value === null) return true;
  const text = toText(value)?.trim() ?? null;
  if (text === null) return Object.keys(value).length === 0;
  return text === '' || text === 'false' || ZERO.test(text) || successValues.includes(text);
}

/** Returns a text without white space and an XML declaration at its start. */
function toStart(body: string): string {
  return body.replace(/^\s*(<\?xml[^>]*>\s*)?/, '');
}

/**
 * Interprets errors as the owner has configured them: only the statuses in `refused` prove that
 * nothing was sent, and only with a code if the configuration has a path for it. A 429 always
 * proves it.
 */
export function createErrors({ refused }: GatewayConfig): ProviderErrors {
  return {
    name: 'HTTP gateway',
    readProblem(response) {
      const { status, body } = response;
      if (body === null) return { code: null, detail: null };
      const error = readError(body, refused, parseText(body));
      if (refused?.statuses.includes(status) !== true) {
        return { ...error, code: status === 429 ? (error.code ?? 'http_429') : null };
      }
      return refused.code_path === null ? { ...error, code: `http_${status}` } : error;
    },
    toMeaning: (_code, status) => (status === 401 || status === 403 ? 'credentials' : 'rejected'),
    isOptOut: () => false,
  };
}

/**
 * Reads the code and the words of an error: at the configured paths, otherwise in the value that makes the
 * response a refusal, in the whole JSON or in the text.
 */
function readError(
  body: string,
  refused: GatewayConfig['refused'],
  parsed: ParsedBody,
  value?: unknown,
): ReportedError {
  const code = readText(readPath(parsed, refused?.code_path));
  const detail = readText(readPath(parsed, refused?.detail_path));
  const marked = readReportedError(value);
  const whole = parsed.kind === 'json' ? readReportedError(parsed.value) : readTextError(body);
  return {
    // An error without the code that the owner expects may come from a proxy.
    code: code ?? marked.code ?? (refused?.code_path ? null : whole.code),
    detail: detail ?? marked.detail ?? whole.detail,
  };
}

/**
 * Reads an error in plain text or in the text of XML: `ERROR:14`, `ERR: 301 Invalid number`, `error_credit`,
 * `-1|No route`. A page for people has none.
 */
function readTextError(body: string): ReportedError {
  const text = /^\s*<(!doctype|html)/i.test(body) ? '' : body.replaceAll(/<[^<>]*>/g, ' ');
  const line =
    text
      .trim()
      .split(/[\r\n]/, 1)[0]
      ?.trim() ?? '';
  const words = line.split(/[^\w.-]+/).filter((word) => word !== '');
  const code = words.length === 1 ? words[0] : words.slice(0, 2).find((word) => /\d/.test(word));
  return { code: readErrorCode(code), detail: readText(line) };
}
