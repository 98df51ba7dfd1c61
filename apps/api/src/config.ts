import { type Logger, readProcessSettings, warnOfMisspelledSettings } from '@switchboard/runtime';

export type ApiConfig = ReturnType<typeof readApiConfig>;

/** Reads the settings of the API. Throws a `SettingsError` that names every problem. */
export function readApiConfig() {
  const settings = readProcessSettings('api', process.env);
  const workspaceLimit = settings.RATE_LIMIT_WORKSPACE ?? 10 * settings.RATE_LIMIT_MESSAGING;
  return {
    ...settings,
    RATE_LIMIT_WORKSPACE: workspaceLimit,
    RATE_LIMIT_WEBHOOKS: settings.RATE_LIMIT_WEBHOOKS ?? 10 * workspaceLimit,
  };
}

export function warnOfMisspelled(logger: Pick<Logger, 'warn'>): void {
  warnOfMisspelledSettings(process.env, logger);
}
