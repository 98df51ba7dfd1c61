import { parseNetwork } from '@switchboard/core';
import { parsePostgresUrl, PostgresUrlError } from '@switchboard/postgres';
import { parseRedisUrl, RedisUrlError } from '@switchboard/redis';
import { z } from 'zod';
import { parseSecretKeys } from '../secret-box.ts';

/** A kind of setting: parses the text of the environment. */
export interface SettingKind<Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  /** Completes "NAME: must be …", in errors and in docs/settings.md. */
  accepts: string;
}

/** Creates a kind from a schema. Its errors describe what is accepted, and never repeat the value. */
function createKind<Schema extends z.ZodType>(
  accepts: string,
  create: (message: string) => Schema,
): SettingKind<Schema> {
  return { accepts, schema: create(`must be ${accepts}`) };
}

/** Creates the setting kind for a whole number within bounds. */
export function integerSetting({ min, max }: { min: number; max: number }) {
  return createKind(`a whole number from ${min} to ${max}`, (message) =>
    z
      .string()
      .regex(/^-?\d{1,15}$/, message)
      .transform(Number)
      .pipe(z.number().min(min, message).max(max, message)),
  );
}

const MAX_LIMIT = 1_000_000_000;

/** Creates the setting kind for a limit. `none` becomes `Infinity`. */
export function limitSetting() {
  return createKind(`a whole number from 1 to ${MAX_LIMIT}, or none`, (message) =>
    z
      .string()
      .regex(/^(none|\d{1,10})$/, message)
      .transform((text) => (text === 'none' ? Infinity : Number(text)))
      .refine((limit) => limit === Infinity || (limit >= 1 && limit <= MAX_LIMIT), message),
  );
}

/**
 * Creates the setting kind for a list of ascending whole numbers, separated by commas:
 * `120000,240000,600000`.
 */
export function risingIntegersSetting(bounds: { min: number; max: number; maxLength: number }) {
  const { min, max, maxLength } = bounds;
  const accepts = `1 to ${maxLength} whole numbers from ${min} to ${max} in strictly ascending order, separated by commas`;
  return createKind(accepts, (message) =>
    z
      .string()
      .regex(/^\s*\d{1,15}(\s*,\s*\d{1,15})*\s*$/, message)
      .transform((text) => text.split(',').map(Number))
      .refine(
        (list) =>
          list.length <= maxLength &&
          list.every((entry, index) => entry >= min && entry > (list[index - 1] ?? -1)) &&
          list.every((entry) => entry <= max),
        message,
      ),
  );
}

/** Creates the setting kind for a TCP port; 0 lets the system choose. */
export function portSetting() {
  return integerSetting({ min: 0, max: 65_535 });
}

export function booleanSetting() {
  return createKind('true or false', (message) =>
    z
      .enum(['true', 'false', '1', '0'], message)
      .transform((text) => text === 'true' || text === '1'),
  );
}

/** Creates the setting kind for any text. */
export function textSetting(accepts = 'text') {
  return createKind(accepts, () => z.string());
}

export function patternSetting(pattern: RegExp, accepts: string) {
  return createKind(accepts, (message) => z.string().regex(pattern, message));
}

export function choiceSetting<const Choice extends string>(choices: readonly Choice[]) {
  return createKind(`one of ${choices.join(', ')}`, (message) => z.enum(choices, message));
}

/**
 * Creates the setting kind for a URL with one of the schemes and a host or, for a local socket, a
 * path.
 */
export function urlSetting(schemes: readonly string[]) {
  const starts = schemes.map((name) => `${name}://`).join(' or ');
  return createKind(`a URL that starts with ${starts}`, (message) =>
    z.string().refine((text) => {
      const url = parseUrl(text);
      return (
        url !== null &&
        schemes.some((scheme) => text.startsWith(`${scheme}://`)) &&
        (url.host !== '' || url.pathname.length > 1)
      );
    }, message),
  );
}

/**
 * Creates the setting kind for a PostgreSQL URL, with one or several hosts. The errors are those of
 * `parsePostgresUrl`.
 */
export function postgresUrlSetting() {
  return createKind('a URL that starts with postgres:// or postgresql://', () =>
    z.string().superRefine((text, context) => {
      try {
        parsePostgresUrl(text);
      } catch (error) {
        if (!(error instanceof PostgresUrlError)) throw error;
        context.addIssue(error.message);
      }
    }),
  );
}

/**
 * Creates the setting kind for a Redis URL: one server, sentinels or a cluster. `parseRedisUrl` describes the
 * forms, and the errors are its own.
 */
export function redisUrlSetting() {
  const schemes = ['redis', 'rediss', 'redis+sentinel', 'rediss+sentinel', 'redis+cluster'];
  const starts = schemes.map((name) => `${name}://`).join(', ');
  return createKind(`a URL that starts with ${starts} or rediss+cluster://`, () =>
    z.string().superRefine((text, context) => {
      try {
        parseRedisUrl(text);
      } catch (error) {
        if (!(error instanceof RedisUrlError)) throw error;
        context.addIssue(error.message);
      }
    }),
  );
}

/**
 * Creates the setting kind for the URL of an HTTP service, to which paths are appended: without credentials,
 * query or fragment. A slash at its end is removed. A path that begins with `//` would be a host in a page.
 */
export function httpBaseSetting() {
  const { accepts, schema } = urlSetting(['http', 'https']);
  return {
    accepts: `${accepts}, without credentials, query or fragment`,
    schema: schema
      .refine((text) => {
        const url = parseUrl(text);
        // `urlSetting` reports a text that is not a URL.
        return url === null || url.username + url.password + url.search + url.hash === '';
      }, 'must be a URL without credentials, query or fragment')
      .transform((text) => text.replace(/\/+$/, ''))
      .refine((text) => {
        const url = parseUrl(text);
        return url === null || !url.pathname.includes('//');
      }, 'must be a URL without // in its path'),
  };
}

/** Creates the setting kind for a list of networks in CIDR notation, separated by commas. */
export function networksSetting() {
  const accepts = 'one or more networks such as 192.168.1.0/24 or fd00::/8, separated by commas';
  return createKind(accepts, (message) =>
    z.string().transform((text, context) => {
      // An address without a length is refused: it may be meant as the whole network.
      const networks = text
        .split(',')
        .map((part) => (part.includes('/') ? parseNetwork(part.trim()) : null));
      if (networks.every((network) => network !== null)) return networks;
      context.addIssue(message);
      return z.NEVER;
    }),
  );
}

/**
 * Creates the setting kind for one or more 32-byte keys in base64, in the format of
 * `createSecretBox`.
 */
export function secretKeysSetting() {
  return createKind('32 bytes in base64 (openssl rand -base64 32)', (message) =>
    z.string().refine((text) => parseSecretKeys(text) !== null, message),
  );
}

/** Creates the setting kind for a ratio from 0 to 1. */
export function ratioSetting() {
  return createKind('a number from 0 to 1', (message) =>
    z
      .string()
      .regex(/^\d(\.\d{1,9})?$/, message)
      .transform(Number)
      .pipe(z.number().max(1, message)),
  );
}

/**
 * Creates the setting kind for `name=value` pairs, separated by commas, with percent-encoded
 * values.
 */
export function pairsSetting() {
  return createKind('one or more name=value pairs, separated by commas', (message) =>
    z.string().transform((text, context) => {
      const pairs = text.split(',').map((pair) => readPair(pair));
      if (pairs.every((pair) => pair !== null)) return Object.fromEntries(pairs);
      context.addIssue(message);
      return z.NEVER;
    }),
  );
}

/** Parses https://www.w3.org/TR/baggage/#header-content, the format of both OTEL lists. */
function readPair(pair: string): [name: string, value: string] | null {
  const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([^\s,][^,]*?)\s*$/.exec(pair) ?? [];
  if (name === undefined || value === undefined) return null;
  try {
    return [name, decodeURIComponent(value)];
  } catch {
    return null;
  }
}

/** Unlike `new URL`, refuses white space, which it would remove or encode silently. */
function parseUrl(text: string): URL | null {
  return URL.canParse(text) && !/\s/.test(text) ? new URL(text) : null;
}
