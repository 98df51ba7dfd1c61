import { maskPhoneNumber } from '@switchboard/core';

const CENSORED = '[redacted]';
const MAX_DEPTH = 6;

// Compared in lower case without `-` and `_`: `auth_token`, `authToken` and `X-Auth-Token` are equal.
const SECRET_NAME =
  /(authorization|cookie|tokens?|tokenhash|apikeys?|keyhash|passwords?|passwordhash|passwd|secrets?|secretkeys?|signature|credentials?|encrypted)$/;
const PRIVATE_NAMES = new Set(['body', 'key']);
const NUMBER_NAMES = new Set(['to', 'from', 'number']);

/**
 * Returns the fields of a log record without secrets and message bodies, at any depth: a copy if one of them
 * differs. `serializedElsewhere` names top-level fields that the logger's serializers replace.
 */
export function redactFields(
  fields: object,
  serializedElsewhere: ReadonlySet<string> = new Set(),
): Record<string, unknown> {
  const original = fields as Record<string, unknown>;
  let redacted = original;
  // Builds no list of entries, because this loop runs for each log line. The names at this depth
  // come from our code.
  for (const name of Object.keys(original)) {
    if (serializedElsewhere.has(name)) continue;
    const value = redactValue(name, original[name], 1);
    if (value === original[name]) continue;
    if (redacted === original) redacted = { ...original };
    redacted[name] = value;
  }
  return redacted;
}

type Kind = 'secret' | 'number' | 'plain';

// Almost all names are from our code. The cache is limited, because some are from clients.
const kinds = new Map<string, Kind>();
const MAX_KINDS = 1_000;

function kindOf(name: string): Kind {
  const known = kinds.get(name);
  if (known !== undefined) return known;
  const plainName = name.replaceAll(/[-_]/g, '').toLowerCase();
  const isSecret = SECRET_NAME.test(plainName) || PRIVATE_NAMES.has(plainName);
  const kind = isSecret ? 'secret' : NUMBER_NAMES.has(plainName) ? 'number' : 'plain';
  if (kinds.size < MAX_KINDS) kinds.set(name, kind);
  return kind;
}

function redactValue(name: string, value: unknown, depth: number): unknown {
  if (value === null || value === undefined) return value;
  if (typeof value === 'string' || typeof value === 'object') {
    const kind = kindOf(name);
    if (kind === 'secret') return CENSORED;
    if (typeof value === 'string') {
      return kind === 'number' && /^\+?\d{7,}$/.test(value) ? maskPhoneNumber(value) : value;
    }
  }
  if (typeof value !== 'object') return value;
  // Dates, URLs and buffers serialize themselves.
  if ('toJSON' in value) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (Array.isArray(value)) return value.map((entry) => redactValue(name, entry, depth + 1));
  return Object.fromEntries(
    [...ownErrorFields(value), ...Object.entries(value)].map(([key, entry]) => [
      key,
      redactValue(key, entry, depth + 1),
    ]),
  );
}

// The properties of an error are not enumerable.
function ownErrorFields(value: object): [string, unknown][] {
  if (!(value instanceof Error)) return [];
  const { name: type, message, stack, cause } = value;
  return Object.entries({ type, message, stack, ...(cause === undefined ? {} : { cause }) });
}

/** Percent-encoded characters that a URL need not encode (RFC 3986, 2.3). */
const NEEDLESSLY_ENCODED = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/** Matches every line that `maskLine` may change: one pass instead of seven over most lines. */
const MAY_NEED_MASK = /%|[+=/][1-9]\d{6}|sw[a-z]_|signature=|\/oidc\/callback|bearer|:\/\//i;

/**
 * Masks what the names of fields do not reveal, anywhere in the complete line: phone numbers, keys and
 * tokens of the service, bearer credentials and passwords in URLs.
 */
export function maskLine(line: string): string {
  if (!MAY_NEED_MASK.test(line)) return line;
  return (
    line
      .replaceAll(NEEDLESSLY_ENCODED, decodeURIComponent)
      .replaceAll(/(?:\+|%2[Bb])([1-9]\d{6,14})(?!\d)/g, (_, digits: string) =>
        maskPhoneNumber(`+${digits}`),
      )
      // In a URL, a + may have become a space, or be missing.
      .replaceAll(
        /([=/]|%20)([1-9]\d{6,14})(?!\d)/g,
        (_, before: string, digits: string) => before + maskPhoneNumber(digits),
      )
      // Every credential that packages/credentials creates: `swb_`, `swi_`, `sws_` …
      .replaceAll(/(sw[a-z]_)[0-9a-z]{20,}/gi, `$1${CENSORED}`)
      // Links to uploaded files, which are credentials until they expire.
      .replaceAll(/\b(signature=)[\w.~-]{20,}/g, `$1${CENSORED}`)
      .replaceAll(/(\/oidc\/callback\?)[^\s"]+/g, `$1${CENSORED}`)
      .replaceAll(/\b(bearer[ .])[\w.~+/-]+=*/gi, `$1${CENSORED}`)
      .replaceAll(/(:\/\/[^\s:@/"\\]*):[^\s@/"\\]+@/g, `$1:${CENSORED}@`)
  );
}
