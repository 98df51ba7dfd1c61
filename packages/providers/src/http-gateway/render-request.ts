import { type SendRequest, countSegments } from '@switchboard/core';
import { readCharset } from '../http/decode-body.ts';
import type { HttpRequest } from '../http/origin-client.ts';
import { type GatewayConfig } from './config.ts';
import { encodeText } from './encode-text.ts';
import { createStatusToken } from './signature.ts';
import {
  type BodyFormat,
  DEFAULT_CHARSET,
  type Placeholder,
  type TemplateValues,
  addPairs,
  escapeHeader,
  listPlaceholders,
  readBodyFormat,
  render,
  renderBody,
  renderUrl,
} from './template.ts';

export interface GatewayRequest extends HttpRequest {
  origin: string;
}

const DEFAULT_HEADERS = { accept: 'application/json', 'user-agent': 'switchboard' };
const TEXT: BodyFormat = { type: 'text', charset: DEFAULT_CHARSET };

/** Returns the values of a message for the placeholders of a template. */
export function toValues(config: GatewayConfig, request: SendRequest): TemplateValues {
  return {
    to: request.to,
    to_digits: request.to.replaceAll(/\D/g, ''),
    from: request.from ?? '',
    body: request.body,
    id: request.messageId,
    status_url: toStatusUrl(config, request),
  };
}

/**
 * Fills a message into the template, which `checkTemplate` has accepted. Returns null if the charset of the
 * template lacks a character of the message.
 */
export function renderRequest(
  config: GatewayConfig,
  message: Pick<SendRequest, 'body'>,
  values: TemplateValues,
): GatewayRequest | null {
  const isGsm7 = countSegments(message.body).encoding === 'GSM-7';
  const send = isGsm7 ? config.send : addParameters(config.send);
  const { method, url, headers, body } = send;
  const contentType = headers['content-type'] ?? '';
  const format = readBodyFormat(contentType) ?? TEXT;
  const urlCharset =
    body === null ? (readCharset(contentType) ?? DEFAULT_CHARSET) : DEFAULT_CHARSET;
  if (encodeText(render(url, values).toWellFormed(), urlCharset) === null) return null;
  const { origin, pathname, search } = new URL(renderUrl(url, values, urlCharset));
  const rendered = body === null ? null : renderBody(body, values, format);
  if (body !== null && rendered === null) return null;
  return {
    origin,
    method,
    path: pathname + search,
    headers: {
      ...DEFAULT_HEADERS,
      ...Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [name, render(text, values, escapeHeader)]),
      ),
      ...(body !== null && { 'content-type': nameCharset(contentType, format) }),
    },
    body: rendered,
  };
}

/** Many servers read JSON and text without a charset as ISO-8859-1. A form is ASCII and UTF-8 by its standard. */
function nameCharset(contentType: string, { type, charset }: BodyFormat): string {
  const isNamed = contentType === '' || readCharset(contentType) !== null || type === 'form';
  return isNamed ? contentType : `${contentType}; charset=${charset}`;
}

/** Adds the parameters for texts outside GSM-7 to the body, or to the query if the body has no parameters. */
export function addParameters(send: GatewayConfig['send']): GatewayConfig['send'] {
  const { url, body, headers, unless_gsm7: added } = send;
  if (added === undefined || added === null) return send;
  const type = readBodyFormat(headers['content-type'] ?? '')?.type;
  if (body !== null && type === 'form') return { ...send, body: addPairs(body, added) };
  if (body !== null && type === 'json') {
    return { ...send, body: JSON.stringify({ ...(JSON.parse(body) as object), ...added }) };
  }
  const [path = '', ...query] = url.split('?');
  return { ...send, url: `${path}?${addPairs(query.join('?'), added)}` };
}

/** Returns whether the template contains a placeholder anywhere. */
export function usesPlaceholder({ send }: GatewayConfig, name: Placeholder): boolean {
  return [send.url, send.body ?? '', ...Object.values(send.headers)].some((template) =>
    listPlaceholders(template).includes(name),
  );
}

/**
 * Signs the URL of the status callbacks. The gateway's signature does not cover the URL, so
 * otherwise a signed body could be sent to the URL of another message.
 */
function toStatusUrl({ signing }: GatewayConfig, request: SendRequest): string {
  if (signing === null) return request.statusUrl;
  return `${request.statusUrl}&token=${createStatusToken(signing.secret, request.messageId)}`;
}
