import { type Logger, readProcessSettings, warnOfMisspeltSettings } from '@switchboard/runtime';

export type Config = ReturnType<typeof readConfig>;

/** Throws a `SettingsError` that names every problem. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  return readProcessSettings('worker', env);
}

export function warnOfMisspelt(logger: Pick<Logger, 'warn'>): void {
  warnOfMisspeltSettings(process.env, logger);
}
