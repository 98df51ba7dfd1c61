import { readSettings, settingFields, settingsSchema } from '@switchboard/runtime';

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
});

export type Config = ReturnType<typeof readConfig>;

/** Throws a `SettingsError` that names everything wrong. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  return readSettings(schema, env);
}
