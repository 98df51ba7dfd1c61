import { readSettings, settingFields, settingsSchema } from '@switchboard/runtime';

const migrateSchema = settingsSchema({
  DATABASE_URL: settingFields.DATABASE_URL,
  DIRECT_DATABASE_URL: settingFields.DIRECT_DATABASE_URL,
});

export function readMigrateConfig() {
  return readSettings(migrateSchema, process.env);
}

const afterRestoreSchema = settingsSchema({ DATABASE_URL: settingFields.DATABASE_URL });

export function readAfterRestoreConfig() {
  return readSettings(afterRestoreSchema, process.env);
}

const rotateSecretsSchema = settingsSchema({
  DATABASE_URL: settingFields.DATABASE_URL,
  SECRET_KEY: settingFields.SECRET_KEY,
});

export function readRotateSecretsConfig() {
  return readSettings(rotateSecretsSchema, process.env);
}

const retentionSchema = settingsSchema({
  DATABASE_URL: settingFields.DATABASE_URL,
  DIRECT_DATABASE_URL: settingFields.DIRECT_DATABASE_URL,
  MESSAGE_RETENTION_DAYS: settingFields.MESSAGE_RETENTION_DAYS,
  EVENT_RETENTION_DAYS: settingFields.EVENT_RETENTION_DAYS,
});

export function readRetentionConfig() {
  return readSettings(retentionSchema, process.env);
}

// All that the API and the workers read, so that what is wrong for them is wrong here.
const doctorSchema = settingsSchema(settingFields);

export function readDoctorConfig() {
  return readSettings(doctorSchema, process.env);
}

const demoDataSchema = settingsSchema({
  HOST: settingFields.HOST,
  PORT: settingFields.PORT,
  SIMULATOR_PORT: settingFields.SIMULATOR_PORT,
  DATA_DIR: settingFields.DATA_DIR,
  DATABASE_URL: settingFields.DATABASE_URL,
  SECRET_KEY: settingFields.SECRET_KEY,
  PUBLIC_URL: settingFields.PUBLIC_URL.optional(),
  TWILIO_API_URL: settingFields.TWILIO_API_URL.optional(),
});

export function readDemoDataConfig() {
  const settings = readSettings(demoDataSchema, process.env);
  return {
    ...settings,
    baseUrl: settings.PUBLIC_URL ?? `http://${settings.HOST}:${settings.PORT}`,
    simulatorUrl: settings.TWILIO_API_URL ?? `http://127.0.0.1:${settings.SIMULATOR_PORT}`,
  };
}
