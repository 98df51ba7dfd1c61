export { type BuildInfo, readBuildInfo } from './build-info.ts';
export {
  type ConnectionLimitOptions,
  limitConnections,
  OPERATOR_CONNECTIONS,
} from './limit-connections.ts';
export { createHashErased } from './hash-erased.ts';
export { toListenHost } from './listen-host.ts';
export { createLogger, type Logger, type LogLevel } from './logger.ts';
export { isSameIssuer, toDiscoveryUrl } from './oidc-discovery.ts';
export { announceReady, runMain, StartRefusedError } from './process-start.ts';
export { rememberOpened } from './remember-opened.ts';
export { createReportProblem } from './report-problems.ts';
export { maskLine } from './redact.ts';
export {
  type MisspelledSetting,
  findMisspelledSettings,
  warnOfMisspelledSettings,
} from './settings/find-misspelled-settings.ts';
export { API_URL_SETTINGS, type ApiUrlSetting } from './settings/provider-settings.ts';
export { getDirectDatabaseUrl } from './settings/database-settings.ts';
export type { InspectedSettings } from './settings/read-settings.ts';
export {
  createSecretBox,
  listSecretKeys,
  ofTotpSecret,
  type SecretBox,
  SecretBoxError,
  type SecretOwner,
} from './secret-box.ts';
export type { MailSender, SmtpServer } from './settings/mail-kinds.ts';
export type { GroupRole } from './settings/oidc-kinds.ts';
export type { Reader } from './settings/declare-setting.ts';
export {
  type AllSettings,
  type ProcessSettings,
  inspectAllSettings,
  listSettings,
  readProcessSettings,
} from './settings/process-settings.ts';
export { SETTINGS, SETTING_AREAS, type SettingName } from './settings/settings.ts';
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
export { withWorkspaceLimits } from './settings/workspace-limits.ts';
