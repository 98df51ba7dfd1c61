import { QUOTAS } from '@switchboard/core';
import { parsePostgresUrl } from '@switchboard/postgres';
import { z } from 'zod';
import {
  booleanSetting,
  httpBaseSetting,
  integerSetting,
  limitSetting,
  logLevelSetting,
  pairsSetting,
  portSetting,
  postgresUrlSetting,
  redisUrlSetting,
  ratioSetting,
  risingIntegersSetting,
  secretKeysSetting,
} from './setting-kinds.ts';

const DAY_MS = 86_400_000;
const TRACES_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/**
 * Every setting that more than one process knows: its name, default and bounds. A `config.ts`
 * picks from here what its process needs and hands it to `settingsSchema`.
 */
export const settingFields = {
  HOST: z.string().default('127.0.0.1'),
  PORT: portSetting().default(3000),
  /** Where an API answers operators: metrics, queue page, health. Absent: on `PORT`. */
  OPS_PORT: portSetting().optional(),
  SIMULATOR_PORT: portSetting().default(3001),
  DATA_DIR: z.string().default('.data'),

  DATABASE_URL: postgresUrlSetting(),
  /** PostgreSQL itself, where `DATABASE_URL` goes through PgBouncer. */
  DIRECT_DATABASE_URL: postgresUrlSetting().optional(),
  /** A streaming replica, for reading history. Absent: all is read from the primary. */
  REPLICA_DATABASE_URL: postgresUrlSetting().optional(),
  REPLICA_MAX_LAG_MS: integerSetting({ min: 2_000, max: 3_600_000 }).default(5_000),
  /** Absent: queue, bus and limits live in PostgreSQL. */
  REDIS_URL: redisUrlSetting().optional(),
  SECRET_KEY: secretKeysSetting(),
  /** What providers call back and sign; no slash at its end. */
  PUBLIC_URL: httpBaseSetting(),
  /** The operator's, never a workspace's; no slash at its end. */
  TWILIO_API_URL: httpBaseSetting().default('https://api.twilio.com'),

  /** Requests a minute: per API key, per workspace over all its keys, per user. */
  RATE_LIMIT_MESSAGING: limitSetting().default(100),
  /** Absent: ten times `RATE_LIMIT_MESSAGING`. */
  RATE_LIMIT_WORKSPACE: limitSetting().optional(),
  /** Provider webhooks a minute per workspace. Absent: ten times `RATE_LIMIT_WORKSPACE`. */
  RATE_LIMIT_WEBHOOKS: limitSetting().optional(),
  /** Replies to STOP, START and HELP that a workspace sends within an hour. */
  KEYWORD_REPLIES_PER_HOUR: limitSetting().default(1000),
  RATE_LIMIT_UI: limitSetting().default(1000),
  /** Open WebSockets of one key, user and workspace, per API process, which takes 10,000 in all. */
  SOCKET_LIMIT_KEY: limitSetting().default(QUOTAS.socketsPerKey),
  SOCKET_LIMIT_USER: limitSetting().default(QUOTAS.socketsPerUser),
  SOCKET_LIMIT_WORKSPACE: limitSetting().default(QUOTAS.socketsPerWorkspace),
  SEND_WAIT_SECONDS: integerSetting({ min: 0, max: 30 }).default(0),
  ALLOW_SIGNUP: booleanSetting().default(false),
  /** How many proxies in front of the API may be believed about the client's address. */
  TRUST_PROXY: integerSetting({ min: 0, max: 10 }).default(0),

  PROVIDER_TIMEOUT_MS: integerSetting({ min: 50, max: 300_000 }).default(15_000),
  LEASE_MS: integerSetting({ min: 100, max: 3_600_000 }).default(60_000),
  /** When an unknown outcome is looked up, counted from the moment it became unknown. */
  UNKNOWN_LOOKUPS_MS: risingIntegersSetting({ min: 1, max: DAY_MS, maxLength: 10 }).default([
    120_000, 240_000, 600_000,
  ]),
  /**
   * When a message that stays unfinished at the provider is asked after, counted from the last
   * news of it: a lost callback is caught up with, and nobody is asked for ever.
   */
  POLL_MS: risingIntegersSetting({ min: 1, max: 7 * DAY_MS, maxLength: 10 }).default([
    60_000, 300_000, 1_800_000, 7_200_000, 43_200_000, 86_400_000,
  ]),
  /**
   * How long an API that is told to end goes on serving, no longer ready: what routes to it has to
   * have seen that before it stops listening.
   */
  DRAIN_MS: integerSetting({ min: 0, max: 120_000 }).default(0),
  SWEEP_MS: integerSetting({ min: 10, max: 60_000 }).default(1000),
  /** Provider calls under way at one time, per worker. */
  WORKER_CONCURRENCY: integerSetting({ min: 1, max: 1000 }).default(50),
  /**
   * For how many days messages and their events are kept; absent: for ever. Deleted by `npm run
   * retention` alone. Below a week a message might go while its provider still speaks of it.
   */
  MESSAGE_RETENTION_DAYS: integerSetting({ min: 7, max: 36_500 }).optional(),
  /** The same of events, which clients resume from; absent: as long as messages. */
  EVENT_RETENTION_DAYS: integerSetting({ min: 1, max: 36_500 }).optional(),
  /** Where `npm run backup` keeps its dumps. */
  BACKUP_DIR: z.string().default('/var/lib/switchboard-backup'),
  /** For how many days dumps and their copies off the machine are kept. */
  BACKUP_DAYS: integerSetting({ min: 1, max: 3_650 }).default(14),
  /** The restic repository that each dump is copied to, in restic's own form; absent: no copy. */
  RESTIC_REPOSITORY: z.string().optional(),
  /** The folder of node_exporter's textfile collector, for the scheduled jobs; absent: no files. */
  METRICS_TEXTFILE_DIR: z.string().optional(),
  /** Where a worker answers /metrics and /health/ready; absent: nowhere. */
  METRICS_PORT: portSetting().optional(),

  /** The operators' login for the page that shows the queue; absent: there is no page. */
  QUEUE_UI_USER: z
    .string()
    .regex(/^[\x21-\x39\x3B-\x7E]{1,64}$/, 'must be 1 to 64 visible characters without a colon')
    .optional(),
  QUEUE_UI_PASSWORD: z.string().min(16, 'must have at least 16 characters').optional(),

  LOG_LEVEL: logLevelSetting().default('info'),

  // OpenTelemetry's own names: opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables
  /** Where traces go, as OTLP over HTTP; absent: none are made. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpBaseSetting().optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairsSetting().optional(),
  /** Absent: each process has a name of its own. */
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairsSetting().optional(),
  OTEL_TRACES_SAMPLER: z
    .enum(TRACES_SAMPLERS, `must be one of ${TRACES_SAMPLERS.join(', ')}`)
    .default('parentbased_always_on'),
  /** Of the samplers that take a ratio. */
  OTEL_TRACES_SAMPLER_ARG: ratioSetting().default(1),
};

/** What `startTracer` needs of a process's settings. */
export type TraceSettings = z.output<
  z.ZodObject<Pick<typeof settingFields, Extract<keyof typeof settingFields, `OTEL_${string}`>>>
>;

/**
 * The schema of one process's settings. Checks between settings run wherever both are picked, and
 * also when other settings are wrong, so that every problem is told at once.
 */
export function settingsSchema<Shape extends z.ZodRawShape>(shape: Shape) {
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
          'goes through PgBouncer (pgbouncer=true), which passes on neither LISTEN nor locks: ' +
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
        message: 'must be above PROVIDER_TIMEOUT_MS, or a lease ends during the call it guards',
        when: () => true,
      },
    )
    .refine(
      (values) =>
        isBelow(numberIn(values, 'PROVIDER_TIMEOUT_MS'), lastIn(values, 'UNKNOWN_LOOKUPS_MS')),
      {
        path: ['UNKNOWN_LOOKUPS_MS'],
        message: 'must end above PROVIDER_TIMEOUT_MS, or a slow acceptance is resent',
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
    .refine((values) => isIn(values, 'QUEUE_UI_PASSWORD') || !isIn(values, 'QUEUE_UI_USER'), {
      path: ['QUEUE_UI_USER'],
      message: 'needs QUEUE_UI_PASSWORD as well',
      when: () => true,
    })
    .refine((values) => isIn(values, 'QUEUE_UI_USER') || !isIn(values, 'QUEUE_UI_PASSWORD'), {
      path: ['QUEUE_UI_PASSWORD'],
      message: 'needs QUEUE_UI_USER as well',
      when: () => true,
    })
    .refine(
      (values) => {
        const events = numberIn(values, 'EVENT_RETENTION_DAYS');
        const messages = numberIn(values, 'MESSAGE_RETENTION_DAYS');
        return events === undefined || messages === undefined || events <= messages;
      },
      {
        path: ['EVENT_RETENTION_DAYS'],
        message: 'must not be above MESSAGE_RETENTION_DAYS: an event goes before its message',
        when: () => true,
      },
    );
}

function isThroughPgBouncer(values: object): boolean {
  const url: unknown = Reflect.get(values, 'DATABASE_URL');
  try {
    return typeof url === 'string' && parsePostgresUrl(url).isThroughPgBouncer;
  } catch {
    return false; // the field's own check reports a URL that can't be read
  }
}

function isSet(values: object, name: string): boolean {
  return Reflect.get(values, name) !== undefined;
}

function isBelow(low: number | undefined, high: number | undefined): boolean {
  return low === undefined || high === undefined || low < high;
}

// Values are unknown here: the shape is the caller's, and a field that failed holds its raw text.
function numberIn(values: object, name: string): number | undefined {
  const value: unknown = Reflect.get(values, name);
  return typeof value === 'number' ? value : undefined;
}

function isIn(values: object, name: string): boolean {
  return Reflect.get(values, name) !== undefined;
}

function lastIn(values: object, name: string): number | undefined {
  const value: unknown = Reflect.get(values, name);
  const last: unknown = Array.isArray(value) ? value.at(-1) : undefined;
  return typeof last === 'number' ? last : undefined;
}
