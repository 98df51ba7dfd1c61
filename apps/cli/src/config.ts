import {
  findMisspeltSettings,
  inspectSettings,
  readSettings,
  settingFields,
  settingsSchema,
} from '@switchboard/runtime';

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
  METRICS_TEXTFILE_DIR: settingFields.METRICS_TEXTFILE_DIR,
});

export function readRetentionConfig() {
  return readSettings(retentionSchema, process.env);
}

const backupFields = {
  DATABASE_URL: settingFields.DATABASE_URL,
  DIRECT_DATABASE_URL: settingFields.DIRECT_DATABASE_URL,
  BACKUP_DIR: settingFields.BACKUP_DIR,
  BACKUP_DAYS: settingFields.BACKUP_DAYS,
  RESTIC_REPOSITORY: settingFields.RESTIC_REPOSITORY,
  METRICS_TEXTFILE_DIR: settingFields.METRICS_TEXTFILE_DIR,
};
const backupSchema = settingsSchema(backupFields);
const restoreSchema = settingsSchema({ ...backupFields, SECRET_KEY: settingFields.SECRET_KEY });

/** Adds what pg_dump, pg_restore, psql and restic are run with. restic reads its own settings. */
function forPrograms<
  Settings extends { DATABASE_URL: string; DIRECT_DATABASE_URL?: string | undefined },
>(settings: Settings) {
  const { DATABASE_URL, DIRECT_DATABASE_URL } = settings;
  return {
    ...settings,
    /** PostgreSQL itself: a dump and a restore need a session of their own. */
    url: DIRECT_DATABASE_URL ?? DATABASE_URL,
    environment: process.env,
  };
}

export function readBackupConfig() {
  return forPrograms(readSettings(backupSchema, process.env));
}

export type RestoreConfig = ReturnType<typeof readRestoreConfig>;

export function readRestoreConfig() {
  return forPrograms(readSettings(restoreSchema, process.env));
}

// All that the API and the workers read, so that what is wrong for them is wrong here.
const doctorSchema = settingsSchema(settingFields);

export type DoctorSettings = ReturnType<typeof inspectDoctorSettings>;

/** Never throws: `doctor` reports what is wrong, and checks the rest. */
export function inspectDoctorSettings(
  env: Readonly<Record<string, string | undefined>> = process.env,
) {
  return { ...inspectSettings(doctorSchema, env), misspelt: findMisspeltSettings(env) };
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
