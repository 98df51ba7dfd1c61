import { readSettings, settingFields, settingsSchema } from '@switchboard/runtime';

const migrateSchema = settingsSchema({ DATABASE_URL: settingFields.DATABASE_URL });

export function readMigrateConfig() {
  return readSettings(migrateSchema, process.env);
}
