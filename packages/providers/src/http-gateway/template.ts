import { readCharset } from '../http/decode-body.ts';
import { encodeText, percentEncode } from './encode-text.ts';

/** What a template may contain, as `{{name}}`. */
export const PLACEHOLDERS = ['to', 'to_digits', 'from', 'body', 'id', 'status_url'] as const;

export type Placeholder = (typeof PLACEHOLDERS)[number];

/** The values of one message. */
export type TemplateValues = Readonly<Record<Placeholder, string>>;

const ANY = /\{\{([^{}]*)\}\}/g;

/** Lists all names between double braces, known or unknown. */
export function listPlaceholders(template: string): string[] {
  return [...template.matchAll(ANY)].map(([, name = '']) => name);
}

export function isPlaceholder(name: string): name is Placeholder {
  return (PLACEHOLDERS as readonly string[]).includes(name);
}

/** Replaces each placeholder with its value, escaped by `escape` for its position. */
export function render(
  template: string,
  values: TemplateValues,
  escape: (value: string) => string = (value) => value,
): string {
  return template.replaceAll(ANY, (_all, name: string) =>
    isPlaceholder(name) ? escape(values[name]) : '',
  );
}

/** Replaces placeholders with a letter, so that the rest can be parsed. */
export function withoutPlaceholders(template: string): string {
  return template.replaceAll(ANY, 'x');
}

const URL_SAFE = /[\w.!~*'()-]/;

/** Fills a URL. The charset is that of a request without a body, otherwise UTF-8. */
export function renderUrl(template: string, values: TemplateValues, charset: string): string {
  return render(template, values, (value) =>
    percentEncode(value.toWellFormed(), charset, URL_SAFE),
  );
}

/**
 * Escapes a value for a header. Control characters would start another header, and Node writes only
 * Latin-1.
 */
export function escapeHeader(value: string): string {
  return value.toWellFormed().replaceAll(/[^\x20-\x7e]/gu, encodeURIComponent);
}

/** What a `Content-Type` says about a body. */
export interface BodyFormat {
  type: 'json' | 'form' | 'text';
  charset: string;
}

export const DEFAULT_CHARSET = 'utf-8';

/** Returns the format of a body by the media type of its request; null for any other media type. */
export function readBodyFormat(contentType: string): BodyFormat | null {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const charset = readCharset(contentType) ?? DEFAULT_CHARSET;
  if (/^application\/([\w.-]+\+)?json$/.test(type)) return { type: 'json', charset };
  if (type === 'application/x-www-form-urlencoded') return { type: 'form', charset };
  return type === 'text/plain' ? { type: 'text', charset } : null;
}

const FORM_SAFE = /[\w.*-]/;

/** Fills a body; null if its charset lacks a character of the values. */
export function renderBody(
  template: string,
  values: TemplateValues,
  { type, charset }: BodyFormat,
): Buffer | null {
  if (type === 'json') return Buffer.from(toAscii(render(template, values, escapeJson)));
  const wellFormed = (value: string) => value.toWellFormed();
  const text = encodeText(render(template, values, wellFormed), charset);
  if (text === null || type === 'text') return text;
  const escapeForm = (value: string) =>
    percentEncode(value, charset, FORM_SAFE).replaceAll('%20', '+');
  return Buffer.from(
    render(template, values, (value) => escapeForm(wellFormed(value))).replaceAll(
      /[^\0-\x7f]+/g,
      escapeForm,
    ),
  );
}

/** Escapes a value for a JSON string. */
function escapeJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** Escapes everything outside ASCII, because many servers read JSON in their own default charset. */
function toAscii(json: string): string {
  return json.replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Adds `name=value` pairs to a query or a form, in place of pairs with the same names. */
export function addPairs(pairs: string, added: Readonly<Record<string, unknown>>): string {
  const kept = pairs
    .split('&')
    .filter((pair) => pair !== '' && !Object.hasOwn(added, pair.split('=', 1)[0] ?? ''));
  const others = Object.entries(added).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  return [...kept, ...others].join('&');
}
