import { type Logger, readProcessSettings, warnOfMisspeltSettings } from '@switchboard/runtime';

export type ApiConfig = ReturnType<typeof readApiConfig>;

/** Throws a `SettingsError` that names every problem. */
export function readApiConfig() {
  const settings = readProcessSettings('api', process.env);
  const workspaceLimit = settings.RATE_LIMIT_WORKSPACE ?? 10 * settings.RATE_LIMIT_MESSAGING;
  return {
    ...settings,
    RATE_LIMIT_WORKSPACE: workspaceLimit,
    RATE_LIMIT_WEBHOOKS: settings.RATE_LIMIT_WEBHOOKS ?? 10 * workspaceLimit,
  };
}

export function warnOfMisspelt(logger: Pick<Logger, 'warn'>): void {
  warnOfMisspeltSettings(process.env, logger);
}
