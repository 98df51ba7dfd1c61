import { parsePostgresUrl, PostgresUrlError } from '@switchboard/postgres';
import { parseRedisUrl, RedisUrlError } from '@switchboard/redis';
import { z } from 'zod';
import { parseSecretKeys } from './secret-box.ts';

// Kinds of settings, each a zod schema from the environment's string to the value. Their messages
// complete the sentence "NAME: …" and never repeat the value, which may be a secret.

/** A whole number within bounds. */
export function integerSetting(bounds: { min: number; max: number }) {
  const message = `must be a whole number from ${bounds.min} to ${bounds.max}`;
  return z
    .string()
    .regex(/^-?\d{1,15}$/, message)
    .transform(Number)
    .pipe(z.number().min(bounds.min, message).max(bounds.max, message));
}

const LIMIT_MAX = 1_000_000_000;

/** How often something may happen; `none` is read as `Infinity`. */
export function limitSetting() {
  const message = `must be a whole number from 1 to ${LIMIT_MAX}, or none`;
  return z
    .string()
    .regex(/^(none|\d{1,10})$/, message)
    .transform((text) => (text === 'none' ? Infinity : Number(text)))
    .refine((limit) => limit === Infinity || (limit >= 1 && limit <= LIMIT_MAX), message);
}

/** Whole numbers with commas between them, each above the one before: `120000,240000,600000`. */
export function risingIntegersSetting(bounds: { min: number; max: number; maxLength: number }) {
  const message =
    `must be 1 to ${bounds.maxLength} whole numbers with commas between them, ` +
    `each above the one before, from ${bounds.min} to ${bounds.max}`;
  return z
    .string()
    .regex(/^\s*\d{1,15}(\s*,\s*\d{1,15})*\s*$/, message)
    .transform((text) => text.split(',').map(Number))
    .refine(
      (list) =>
        list.length <= bounds.maxLength &&
        list.every((entry, index) => entry >= bounds.min && entry > (list[index - 1] ?? -1)) &&
        list.every((entry) => entry <= bounds.max),
      message,
    );
}

/** A TCP port; 0 lets the system choose. */
export function portSetting() {
  return integerSetting({ min: 0, max: 65_535 });
}

export function booleanSetting() {
  return z
    .enum(['true', 'false', '1', '0'], 'must be true or false')
    .transform((text) => text === 'true' || text === '1');
}

/** An address with one of the given schemes and a host, or (a local socket) a path. */
export function urlSetting(schemes: readonly string[]) {
  const message = `must be a URL that starts with ${schemes.map((name) => `${name}://`).join(' or ')}`;
  return z.string().refine((text) => {
    const url = parseUrl(text);
    return (
      url !== null &&
      schemes.some((scheme) => text.startsWith(`${scheme}://`)) &&
      (url.host !== '' || url.pathname.length > 1)
    );
  }, message);
}

/** One PostgreSQL server or several hosts of a cluster: `parsePostgresUrl` in packages/postgres. */
export function postgresUrlSetting() {
  return z.string().superRefine((text, context) => {
    try {
      parsePostgresUrl(text);
    } catch (error) {
      if (!(error instanceof PostgresUrlError)) throw error;
      context.addIssue(error.message);
    }
  });
}

/** A Redis, sentinels or a cluster: `parseRedisUrl` in packages/redis says in what forms. */
export function redisUrlSetting() {
  return z.string().superRefine((text, context) => {
    try {
      parseRedisUrl(text);
    } catch (error) {
      if (!(error instanceof RedisUrlError)) throw error;
      context.addIssue(error.message);
    }
  });
}

/**
 * The address of an HTTP service, to which paths are appended: no credentials, query or fragment,
 * and no slash at the end of the result.
 */
export function httpBaseSetting() {
  return urlSetting(['http', 'https'])
    .refine((text) => {
      const url = parseUrl(text);
      // What the first check has refused is not this check's to report.
      return url === null || url.username + url.password + url.search + url.hash === '';
    }, 'must be a URL without credentials, query or fragment')
    .transform((text) => text.replace(/\/+$/, ''));
}

/** One or more 32-byte keys in base64; see `createSecretBox` for the form. */
export function secretKeysSetting() {
  return z
    .string()
    .refine(
      (text) => parseSecretKeys(text) !== null,
      'must be 32 bytes in base64 (openssl rand -base64 32)',
    );
}

export function logLevelSetting() {
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
  return z.enum(levels, `must be one of ${levels.join(', ')}`);
}

/** A share of a whole, from 0 to 1. */
export function ratioSetting() {
  const message = 'must be a number from 0 to 1';
  return z
    .string()
    .regex(/^\d(\.\d{1,9})?$/, message)
    .transform(Number)
    .pipe(z.number().max(1, message));
}

/** `name=value` with commas between them, values percent-encoded where they must be. */
export function pairsSetting() {
  return z.string().transform((text, context) => {
    const pairs = text.split(',').map((pair) => readPair(pair));
    if (pairs.every((pair) => pair !== null)) return Object.fromEntries(pairs);
    context.addIssue('must be name=value, with commas between several');
    return z.NEVER;
  });
}

/** https://www.w3.org/TR/baggage/#header-content, of which both OTEL lists are made. */
function readPair(pair: string): [name: string, value: string] | null {
  const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([^\s,][^,]*?)\s*$/.exec(pair) ?? [];
  if (name === undefined || value === undefined) return null;
  try {
    return [name, decodeURIComponent(value)];
  } catch {
    return null;
  }
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
