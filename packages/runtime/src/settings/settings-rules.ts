import { parsePostgresUrl } from '@switchboard/postgres';
import { z } from 'zod';

/**
 * Creates the schema of a process's settings, with the rules between them. A rule applies wherever
 * its settings are read, even if other settings are invalid, so that all problems are reported at
 * once.
 */
export function createSettingsSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
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
    .refine((values) => isSet(values, 'QUEUE_UI_PASSWORD') || !isSet(values, 'QUEUE_UI_USER'), {
      path: ['QUEUE_UI_USER'],
      message: 'needs QUEUE_UI_PASSWORD as well',
      when: () => true,
    })
    .refine((values) => isSet(values, 'QUEUE_UI_USER') || !isSet(values, 'QUEUE_UI_PASSWORD'), {
      path: ['QUEUE_UI_PASSWORD'],
      message: 'needs QUEUE_UI_USER as well',
      when: () => true,
    })
    .refine((values) => isSet(values, 'MAIL_FROM') || !isSet(values, 'SMTP_URL'), {
      path: ['SMTP_URL'],
      message: 'needs MAIL_FROM as well',
      when: () => true,
    })
    .refine((values) => isSet(values, 'SMTP_URL') || !isSet(values, 'MAIL_FROM'), {
      path: ['MAIL_FROM'],
      message: 'needs SMTP_URL as well',
      when: () => true,
    })
    .refine(
      (values) =>
        !isSet(values, 'MEDIA_S3_URL') ||
        (isSet(values, 'MEDIA_S3_ACCESS_KEY_ID') && isSet(values, 'MEDIA_S3_SECRET_ACCESS_KEY')),
      {
        path: ['MEDIA_S3_URL'],
        message: 'needs MEDIA_S3_ACCESS_KEY_ID and MEDIA_S3_SECRET_ACCESS_KEY as well',
        when: () => true,
      },
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
}

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
