import { parsePostgresUrl } from '@switchboard/postgres';
import { z } from 'zod';

/**
 * Creates the schema of a process's settings, with the rules between them. A rule applies wherever
 * its settings are read, even if other settings are invalid, so that all problems are reported at
 * once.
 */
export function createSettingsSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  const schema = z
    .object(shape)
    .refine(
      (values) =>
        !('DIRECT_DATABASE_URL' in shape) ||
        !isThroughPgBouncer(values) ||
        isSet(values, 'DIRECT_DATABASE_URL') ||
        isSet(values, 'REDIS_URL'),
      {
        path: ['DATABASE_URL'],
        message:
          'goes through PgBouncer (pgbouncer=true), which supports neither LISTEN nor locks: ' +
          ('REDIS_URL' in shape
            ? 'set REDIS_URL, or DIRECT_DATABASE_URL to PostgreSQL itself'
            : 'set DIRECT_DATABASE_URL to PostgreSQL itself'),
        when: () => true,
      },
    )
    .refine(
      (values) => isBelow(numberIn(values, 'PROVIDER_TIMEOUT_MS'), numberIn(values, 'LEASE_MS')),
      {
        path: ['LEASE_MS'],
        message:
          'must be above PROVIDER_TIMEOUT_MS, or a lease can expire during its provider call',
        when: () => true,
      },
    )
    .refine(
      (values) =>
        isBelow(numberIn(values, 'PROVIDER_TIMEOUT_MS'), lastIn(values, 'UNKNOWN_LOOKUPS_MS')),
      {
        path: ['UNKNOWN_LOOKUPS_MS'],
        message:
          'must have a last value above PROVIDER_TIMEOUT_MS, or a message that the provider accepts slowly is sent again',
        when: () => true,
      },
    )
    .refine(
      (values) => {
        const port = numberIn(values, 'OPS_PORT');
        return port === undefined || port === 0 || port !== numberIn(values, 'PORT');
      },
      { path: ['OPS_PORT'], message: 'must differ from PORT', when: () => true },
    )
    .refine(
      (values) =>
        !('OIDC_ISSUER' in shape) ||
        Reflect.get(values, 'OIDC_ONLY') !== true ||
        isSet(values, 'OIDC_ISSUER'),
      { path: ['OIDC_ONLY'], message: 'needs OIDC_ISSUER as well', when: () => true },
    )
    .refine(
      (values) => {
        const events = numberIn(values, 'EVENT_RETENTION_DAYS');
        const messages = numberIn(values, 'MESSAGE_RETENTION_DAYS');
        return events === undefined || messages === undefined || events <= messages;
      },
      {
        path: ['EVENT_RETENTION_DAYS'],
        message:
          'must not be above MESSAGE_RETENTION_DAYS, because events are deleted with their message',
        when: () => true,
      },
    );
  return Object.entries(NEEDS).reduce(
    (refined, [name, others]) =>
      refined.refine(
        (values) => !isSet(values, name) || others.every((other) => isSet(values, other)),
        { path: [name], message: `needs ${others.join(' and ')} as well`, when: () => true },
      ),
    schema,
  );
}

/** The settings that a setting is of no use without. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  QUEUE_UI_USER: ['QUEUE_UI_PASSWORD'],
  QUEUE_UI_PASSWORD: ['QUEUE_UI_USER'],
  SMTP_URL: ['MAIL_FROM'],
  MAIL_FROM: ['SMTP_URL'],
  OIDC_ISSUER: ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  OIDC_CLIENT_ID: ['OIDC_ISSUER', 'OIDC_CLIENT_SECRET'],
  OIDC_CLIENT_SECRET: ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  OIDC_ROLE_CLAIM: ['OIDC_ROLE_MAP', 'OIDC_ISSUER'],
  OIDC_ROLE_MAP: ['OIDC_ROLE_CLAIM', 'OIDC_ISSUER'],
  MEDIA_S3_URL: ['MEDIA_S3_ACCESS_KEY_ID', 'MEDIA_S3_SECRET_ACCESS_KEY'],
};

function isThroughPgBouncer(values: object): boolean {
  const url: unknown = Reflect.get(values, 'DATABASE_URL');
  try {
    return typeof url === 'string' && parsePostgresUrl(url).isThroughPgBouncer;
  } catch {
    return false; // The setting's own check reports a malformed URL.
  }
}

function isSet(values: object, name: string): boolean {
  return Reflect.get(values, name) !== undefined;
}

function isBelow(low: number | undefined, high: number | undefined): boolean {
  return low === undefined || high === undefined || low < high;
}

// Values have the types of the caller's schema, but an invalid setting is still a string.
function numberIn(values: object, name: string): number | undefined {
  const value: unknown = Reflect.get(values, name);
  return typeof value === 'number' ? value : undefined;
}

function lastIn(values: object, name: string): number | undefined {
  const value: unknown = Reflect.get(values, name);
  const last: unknown = Array.isArray(value) ? value.at(-1) : undefined;
  return typeof last === 'number' ? last : undefined;
}
