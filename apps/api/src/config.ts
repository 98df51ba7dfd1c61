import {
  type Logger,
  readProcessSettings,
  warnOfMisspelledSettings,
  withWorkspaceLimits,
} from '@switchboard/runtime';

export type ApiConfig = ReturnType<typeof readApiConfig>;

/** Reads the settings of the API. Throws a `SettingsError` that names every problem. */
export function readApiConfig() {
  return withWorkspaceLimits(readProcessSettings('api', process.env));
}

export function warnOfMisspelled(logger: Pick<Logger, 'warn'>): void {
  warnOfMisspelledSettings(process.env, logger);
}
