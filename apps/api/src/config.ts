import {
  findMisspeltSettings,
  readSettings,
  settingFields,
  settingsSchema,
} from '@switchboard/runtime';

const apiSchema = settingsSchema({
  HOST: settingFields.HOST,
  PORT: settingFields.PORT,
  OPS_PORT: settingFields.OPS_PORT,
  DATABASE_URL: settingFields.DATABASE_URL,
  DIRECT_DATABASE_URL: settingFields.DIRECT_DATABASE_URL,
  REPLICA_DATABASE_URL: settingFields.REPLICA_DATABASE_URL,
  REPLICA_MAX_LAG_MS: settingFields.REPLICA_MAX_LAG_MS,
  REDIS_URL: settingFields.REDIS_URL,
  SECRET_KEY: settingFields.SECRET_KEY,
  PUBLIC_URL: settingFields.PUBLIC_URL,
  TWILIO_API_URL: settingFields.TWILIO_API_URL,
  RATE_LIMIT_MESSAGING: settingFields.RATE_LIMIT_MESSAGING,
  RATE_LIMIT_WORKSPACE: settingFields.RATE_LIMIT_WORKSPACE,
  RATE_LIMIT_WEBHOOKS: settingFields.RATE_LIMIT_WEBHOOKS,
  KEYWORD_REPLIES_PER_HOUR: settingFields.KEYWORD_REPLIES_PER_HOUR,
  RATE_LIMIT_UI: settingFields.RATE_LIMIT_UI,
  SOCKET_LIMIT_KEY: settingFields.SOCKET_LIMIT_KEY,
  SOCKET_LIMIT_USER: settingFields.SOCKET_LIMIT_USER,
  SOCKET_LIMIT_WORKSPACE: settingFields.SOCKET_LIMIT_WORKSPACE,
  SEND_WAIT_SECONDS: settingFields.SEND_WAIT_SECONDS,
  ALLOW_SIGNUP: settingFields.ALLOW_SIGNUP,
  TRUST_PROXY: settingFields.TRUST_PROXY,
  PROVIDER_TIMEOUT_MS: settingFields.PROVIDER_TIMEOUT_MS,
  LEASE_MS: settingFields.LEASE_MS,
  UNKNOWN_LOOKUPS_MS: settingFields.UNKNOWN_LOOKUPS_MS,
  POLL_MS: settingFields.POLL_MS,
  SWEEP_MS: settingFields.SWEEP_MS,
  DRAIN_MS: settingFields.DRAIN_MS,
  QUEUE_UI_USER: settingFields.QUEUE_UI_USER,
  QUEUE_UI_PASSWORD: settingFields.QUEUE_UI_PASSWORD,
  LOG_LEVEL: settingFields.LOG_LEVEL,
  OTEL_EXPORTER_OTLP_ENDPOINT: settingFields.OTEL_EXPORTER_OTLP_ENDPOINT,
  OTEL_EXPORTER_OTLP_HEADERS: settingFields.OTEL_EXPORTER_OTLP_HEADERS,
  OTEL_SERVICE_NAME: settingFields.OTEL_SERVICE_NAME,
  OTEL_RESOURCE_ATTRIBUTES: settingFields.OTEL_RESOURCE_ATTRIBUTES,
  OTEL_TRACES_SAMPLER: settingFields.OTEL_TRACES_SAMPLER,
  OTEL_TRACES_SAMPLER_ARG: settingFields.OTEL_TRACES_SAMPLER_ARG,
});

export type ApiConfig = ReturnType<typeof readApiConfig>;

export function readApiConfig() {
  const settings = readSettings(apiSchema, process.env);
  const workspaceLimit = settings.RATE_LIMIT_WORKSPACE ?? 10 * settings.RATE_LIMIT_MESSAGING;
  return {
    ...settings,
    RATE_LIMIT_WORKSPACE: workspaceLimit,
    RATE_LIMIT_WEBHOOKS: settings.RATE_LIMIT_WEBHOOKS ?? 10 * workspaceLimit,
  };
}

export function findMisspelt() {
  return findMisspeltSettings(process.env);
}
