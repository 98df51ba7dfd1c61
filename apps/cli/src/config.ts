import {
  type AllSettings,
  type InspectedSettings,
  type MisspelledSetting,
  type ProcessSettings,
  findMisspelledSettings,
  getDirectDatabaseUrl,
  inspectAllSettings,
  readProcessSettings,
  warnOfMisspelledSettings,
} from '@switchboard/runtime';

/** Prints warnings to stderr, because a command has no log and prints its results to stdout. */
const STDERR = {
  warn: ({ setting, similar_to }: Record<string, string>) =>
    console.error(`Warning: ${setting} is not a setting and has no effect. Use ${similar_to}.`),
};

type Command =
  | 'migrate'
  | 'after-restore'
  | 'rotate-secrets'
  | 'reset-password'
  | 'sign-in-link'
  | 'retention'
  | 'backup'
  | 'restore';

/** Throws a `SettingsError` that names every problem. */
export function readCommandConfig<Name extends Command>(name: Name): ProcessSettings<Name> {
  warnOfMisspelledSettings(process.env, STDERR);
  return readProcessSettings(name, process.env);
}

/** Adds the environment for pg_dump, pg_restore, psql and restic. restic reads its own settings. */
function forPrograms<Settings extends Parameters<typeof getDirectDatabaseUrl>[0]>(
  settings: Settings,
) {
  return {
    ...settings,
    /** The URL of PostgreSQL itself, because a dump and a restore need a session of their own. */
    url: getDirectDatabaseUrl(settings),
    environment: process.env,
  };
}

export function readBackupConfig() {
  return forPrograms(readCommandConfig('backup'));
}

export type RestoreConfig = ReturnType<typeof readRestoreConfig>;

export function readRestoreConfig() {
  return forPrograms(readCommandConfig('restore'));
}

export interface DoctorSettings extends InspectedSettings<AllSettings> {
  misspelled: MisspelledSetting[];
}

/** Never throws, because `doctor` reports invalid settings and continues with the other checks. */
export function inspectDoctorSettings(
  env: Readonly<Record<string, string | undefined>> = process.env,
): DoctorSettings {
  return { ...inspectAllSettings(env), misspelled: findMisspelledSettings(env) };
}

/** Throws a `SettingsError` that names every problem. */
export function readDemoDataConfig() {
  warnOfMisspelledSettings(process.env, STDERR);
  const settings = readProcessSettings('demo-data', process.env, {
    optional: ['PUBLIC_URL', 'TWILIO_API_URL'],
  });
  return {
    ...settings,
    baseUrl: settings.PUBLIC_URL ?? `http://${settings.HOST}:${settings.PORT}`,
    simulatorUrl: settings.TWILIO_API_URL ?? `http://127.0.0.1:${settings.SIMULATOR_PORT}`,
  };
}
