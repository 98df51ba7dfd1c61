/** Names of fields and positions in lists, with dots between them: `messages.0.id`. */
const PATH = /^[^.\s\p{Cc}]{1,64}(\.[^.\s\p{Cc}]{1,64}){0,9}$/u;

export const PATH_RULE =
  'names of fields and positions in lists with dots between them, for example data.id or messages.0.id';

export function isValuePath(text: string): boolean {
  return PATH.test(text);
}

/** A body that was parsed as JSON or as a form. */
export type ParsedBody =
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; fields: URLSearchParams };

/** Parses a body by its media type: a form if the type says so, otherwise JSON. Null if it is neither. */
export function parseBody(body: string, contentType: string): ParsedBody | null {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) {
    return { kind: 'form', fields: new URLSearchParams(body) };
  }
  try {
    return { kind: 'json', value: JSON.parse(body) as unknown };
  } catch {
    return null;
  }
}

/**
 * Reads the value at a path as text; null if there is none. A number counts only if JavaScript
 * represents it exactly: a rounded identifier could belong to another message. In a form, the path
 * is the name of a field.
 */
export function readPath(body: ParsedBody | null, path: string): string | null {
  if (body === null) return null;
  const value = body.kind === 'form' ? body.fields.get(path) : readJson(body.value, path);
  if (typeof value === 'string') return value === '' ? null : value;
  return Number.isSafeInteger(value) || typeof value === 'boolean' ? String(value) : null;
}

function readJson(root: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    return Reflect.get(value, name);
  }, root);
}

/** Returns whether a text can identify a message of the gateway. */
export function isIdentifier(text: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(text);
}
