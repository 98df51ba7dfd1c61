import { readCharset } from '../http/decode-body.ts';
import { parseJson } from '../http/parse-json.ts';
import type { GatewayConfig } from './config.ts';
import { encodeText, isWritable } from './encode-text.ts';
import { invalid } from './read-fields.ts';
import { addParameters } from './render-request.ts';
import {
  PLACEHOLDERS,
  type Placeholder,
  isPlaceholder,
  listPlaceholders,
  readBodyFormat,
  withoutPlaceholders,
} from './template.ts';

type Send = GatewayConfig['send'];

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,64}$/;
const HEADER_VALUE = /^[\x20-\x7e]{1,1024}$/;
/**
 * The service sets these headers itself, or they would change how the server parses the request.
 */
const RESERVED_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Checks the template of the send request. `renderRequest` can fill every message into a template
 * that this function accepts.
 *
 * @throws AppError `invalid_params`, naming the parameter
 */
export function checkTemplate({ send, accepted }: Pick<GatewayConfig, 'send' | 'accepted'>): void {
  checkUrl(send.url);
  checkHeaders(send.headers);
  checkCharset(send);
  checkBody(send);
  checkPlaceholders('accepted.id_after', accepted.id_after ?? '');
  const missing = findMissing(send);
  if (missing !== null) {
    throw invalid('send', `must contain {{${missing}}}, in the URL, a header or the body`);
  }
  const replaced = findMissing(addParameters(send));
  if (replaced !== null) {
    throw invalid(
      'send.unless_gsm7',
      `must not replace the parameter that contains {{${replaced}}}`,
    );
  }
}

/** Returns the placeholder that a request needs and does not have, or null. */
function findMissing(send: Send): Placeholder | null {
  const used = new Set(
    [send.url, send.body ?? '', ...Object.values(send.headers)].flatMap(listPlaceholders),
  );
  if (!used.has('to') && !used.has('to_digits')) return 'to';
  return used.has('body') ? null : 'body';
}

function checkUrl(url: string): void {
  const [origin = ''] = /^[^:]*:\/\/[^/?#]*/.exec(url) ?? [];
  if (!/^https?:\/\/[^/?#]+$/i.test(origin) || !URL.canParse(withoutPlaceholders(url))) {
    throw invalid(
      'send.url',
      'must be an http or https URL, for example http://192.168.1.20:8080/message',
    );
  }
  if (/[{}]/.test(origin)) throw invalid('send.url', 'must not have a placeholder in the host');
  const { username, password, hash } = new URL(withoutPlaceholders(url));
  if (username !== '' || password !== '') {
    throw invalid(
      'send.url',
      'must not contain a user name or a password: set the header `send.headers.authorization`',
    );
  }
  if (hash !== '' || url.includes('#')) throw invalid('send.url', 'must not contain a fragment');
  if (!/^[\x21-\x7e]+$/.test(url)) {
    throw invalid('send.url', 'must contain only printable ASCII characters, without spaces');
  }
  checkPlaceholders('send.url', url);
  // A text such as `..` would change the path.
  if (listPlaceholders(url.split('?')[0] ?? '').includes('body')) {
    throw invalid('send.url', 'may have {{body}} only in the query');
  }
}

function checkHeaders(headers: Send['headers']): void {
  for (const [name, value] of Object.entries(headers)) {
    const parameter = `send.headers.${name}`;
    if (!HEADER_NAME.test(name)) {
      throw invalid(
        'send.headers',
        'must contain only names of HTTP headers, for example Authorization',
      );
    }
    if (RESERVED_HEADERS.has(name)) throw invalid(parameter, 'is set by the service itself');
    if (!HEADER_VALUE.test(value)) {
      throw invalid(parameter, 'must have 1 to 1024 printable ASCII characters');
    }
    checkPlaceholders(parameter, value);
  }
}

function checkCharset({ headers }: Send): void {
  const charset = readCharset(headers['content-type']);
  if (charset === null || isWritable(charset)) return;
  throw invalid(
    'send.headers.content-type',
    `must have a known charset that contains ASCII, for example utf-8 or iso-8859-1, but has ${charset}`,
  );
}

function checkBody({ method, headers, body, unless_gsm7: parameters }: Send): void {
  if (body === null) return;
  if (method === 'GET') throw invalid('send.body', 'must be absent for the method GET');
  const format = readBodyFormat(headers['content-type'] ?? '');
  if (format === null) {
    throw invalid(
      'send.headers.content-type',
      'must be application/json, application/x-www-form-urlencoded or text/plain',
    );
  }
  checkPlaceholders('send.body', body);
  const literal = withoutPlaceholders(body);
  if (format.type === 'json') {
    checkJson(literal, parameters ?? null);
  } else if (encodeText(literal, format.charset) === null) {
    throw invalid('send.body', `must contain only characters of the charset ${format.charset}`);
  }
}

function checkPlaceholders(parameter: string, template: string): void {
  const unknown = listPlaceholders(template).find((name) => !isPlaceholder(name));
  // Closing braces alone are part of JSON: `{"a":{"b":1}}`.
  if (unknown !== undefined || withoutPlaceholders(template).includes('{{')) {
    const known = PLACEHOLDERS.map((name) => `{{${name}}}`).join(', ');
    throw invalid(parameter, `may contain only the placeholders ${known}`);
  }
}

function checkJson(literal: string, parameters: Send['unless_gsm7']): void {
  let value: unknown;
  try {
    value = JSON.parse(literal);
  } catch {
    throw invalid('send.body', 'must be JSON, with placeholders inside its strings');
  }
  if (parameters === null) return;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  // The body is written again with the parameters, which would round such a number.
  if (!isObject || JSON.stringify(parseJson(literal)) !== JSON.stringify(value)) {
    const expected = 'must be a JSON object without whole numbers above 2^53';
    throw invalid('send.body', `${expected}, because \`send.unless_gsm7\` adds to it`);
  }
}
