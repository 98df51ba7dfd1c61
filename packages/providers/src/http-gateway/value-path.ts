import { decodeBody } from '../http/decode-body.ts';
import { parseJson } from '../http/parse-json.ts';
import { parseForm } from './parse-form.ts';

/** Names of fields and positions in lists, with dots between them: `messages.0.id`. */
const PATH = /^[^.\s\p{Cc}]{1,64}(\.[^.\s\p{Cc}]{1,64}){0,9}$/u;

export const PATH_RULE =
  'names of fields and positions in lists with dots between them, for example data.id or messages.0.id';

export function isValuePath(text: string): boolean {
  return PATH.test(text);
}

/** A path, or several of which the first that finds a value counts. */
export type ValuePath = string | readonly string[];

/** A body that was parsed as JSON or as a form, or that is only text. */
export type ParsedBody =
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; fields: ReadonlyMap<string, string> }
  | { kind: 'text' };

const FORM = /^application\/x-www-form-urlencoded\b/i;

/** Parses the bytes of a webhook by their media type: a form if the type says so, otherwise JSON. */
export function parseBytes(bytes: Uint8Array, contentType: string): ParsedBody {
  if (FORM.test(contentType)) return { kind: 'form', fields: parseForm(bytes, contentType) };
  return parseText(decodeBody(bytes, contentType));
}

/** Parses a JSON object or list, whatever its media type: many gateways say `text/html`. */
export function parseText(text: string): ParsedBody {
  try {
    const value = parseJson(text);
    if (typeof value === 'object' && value !== null) return { kind: 'json', value };
  } catch {
    // Not JSON: the text is all that there is.
  }
  return { kind: 'text' };
}

/**
 * Finds the value at a path, or at the first of several where there is one other than null and an empty
 * text. Without any, returns an empty text if there is one, otherwise undefined. In a form, a path is
 * the name of a field.
 */
export function findValue(body: ParsedBody, path: ValuePath): unknown {
  const found = [path]
    .flat()
    .map((each) => findAt(body, each))
    .filter((value) => value !== undefined && value !== null);
  return found.find((value) => value !== '') ?? found[0];
}

function findAt(body: ParsedBody, path: string): unknown {
  if (body.kind === 'form') return body.fields.get(path);
  if (body.kind === 'text') return undefined;
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined;
    return Reflect.get(value, name);
  }, body.value);
}

/** Returns a text, a number or a boolean as text, otherwise null. */
export function toText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Reads the value at a path as text; null if there is none or it is empty. */
export function readPath(body: ParsedBody, path: ValuePath | null | undefined): string | null {
  if (path === null || path === undefined) return null;
  const text = toText(findValue(body, path));
  return text === '' ? null : text;
}

/** Names a path in errors. */
export function namePath(path: ValuePath): string {
  return [path]
    .flat()
    .map((each) => `\`${each}\``)
    .join(' or ');
}

/** Returns whether a text can identify a message of the gateway. */
export function isIdentifier(text: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(text);
}
