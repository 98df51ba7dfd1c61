import {
  findMisspeltSettings,
  readSettings,
  settingFields,
  settingsSchema,
} from '@switchboard/runtime';

const {
  DATABASE_URL,
  DIRECT_DATABASE_URL,
  REDIS_URL,
  SECRET_KEY,
  PUBLIC_URL,
  TWILIO_API_URL,
  PROVIDER_TIMEOUT_MS,
  LEASE_MS,
  UNKNOWN_LOOKUPS_MS,
  POLL_MS,
  SWEEP_MS,
  WORKER_CONCURRENCY,
  HOST,
  METRICS_PORT,
  LOG_LEVEL,
  OTEL_EXPORTER_OTLP_ENDPOINT,
  OTEL_EXPORTER_OTLP_HEADERS,
  OTEL_SERVICE_NAME,
  OTEL_RESOURCE_ATTRIBUTES,
  OTEL_TRACES_SAMPLER,
  OTEL_TRACES_SAMPLER_ARG,
} = settingFields;

const schema = settingsSchema({
  DATABASE_URL,
  DIRECT_DATABASE_URL,
  REDIS_URL,
  SECRET_KEY,
  PUBLIC_URL,
  TWILIO_API_URL,
  PROVIDER_TIMEOUT_MS,
  LEASE_MS,
  UNKNOWN_LOOKUPS_MS,
  POLL_MS,
  SWEEP_MS,
  WORKER_CONCURRENCY,
  HOST,
  METRICS_PORT,
  LOG_LEVEL,
  OTEL_EXPORTER_OTLP_ENDPOINT,
  OTEL_EXPORTER_OTLP_HEADERS,
  OTEL_SERVICE_NAME,
  OTEL_RESOURCE_ATTRIBUTES,
  OTEL_TRACES_SAMPLER,
  OTEL_TRACES_SAMPLER_ARG,
});

export type Config = ReturnType<typeof readConfig>;

/** Throws a `SettingsError` that names everything wrong. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  return readSettings(schema, env);
}

export function findMisspelt() {
  return findMisspeltSettings(process.env);
}
