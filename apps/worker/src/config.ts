import {
  type Logger,
  readProcessSettings,
  warnOfMisspelledSettings,
  withWorkspaceLimits,
} from '@switchboard/runtime';

export type Config = ReturnType<typeof readConfig>;

/** Throws a `SettingsError` that names every problem. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  return withWorkspaceLimits(readProcessSettings('worker', env));
}

export function warnOfMisspelled(logger: Pick<Logger, 'warn'>): void {
  warnOfMisspelledSettings(process.env, logger);
}
