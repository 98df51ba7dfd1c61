export { type BuildInfo, readBuildInfo } from './build-info.ts';
export { createLogger, type Logger, type LogLevel } from './logger.ts';
export { announceReady, runMain, StartRefusedError } from './process-start.ts';
export { rememberOpened } from './remember-opened.ts';
export { maskLine } from './redact.ts';
export { findMisspeltSettings, type MisspeltSetting } from './find-misspelt-settings.ts';
export { inspectSettings, readSettings, SettingsError } from './read-settings.ts';
export { createSecretBox, type SecretBox, SecretBoxError, type SecretOwner } from './secret-box.ts';
export {
  booleanSetting,
  httpBaseSetting,
  integerSetting,
  logLevelSetting,
  pairsSetting,
  portSetting,
  redisUrlSetting,
  ratioSetting,
  risingIntegersSetting,
  secretKeysSetting,
  urlSetting,
} from './setting-kinds.ts';
export { settingFields, settingsSchema } from './settings.ts';
export { createShutdown, type Shutdown, type ShutdownPhase } from './shutdown.ts';
export { startTracer } from './tracing/start-tracer.ts';
export {
  endWith,
  exportTraces,
  type Span,
  type SpanEnd,
  traceIdOf,
  type Tracer,
} from './tracing/tracer.ts';
