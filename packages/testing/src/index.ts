export { BACKENDS, OWN_SERVERS, type OwnServer } from './backends.ts';
export {
  createWorkspaceFixture,
  type WorkspaceFixture,
  type WorkspaceFixtureOptions,
} from './create-workspace-fixture.ts';
export { addAccounts } from './environment/add-accounts.ts';
export {
  type Behaviour,
  type Carrier,
  type Credentials,
  type Delivery,
  type InboundLine,
  type LedgerLine,
  PROVIDERS,
  type ProviderName,
  createCarrier,
} from './environment/carrier.ts';
export {
  type Environment,
  type Opened,
  type RedisGroupKind,
  openEnvironment,
} from './environment/open-environment.ts';
export type { Env, ProcessSlot } from './environment/process-slot.ts';
export { EVENTUALLY } from './eventually.ts';
export { type Http, type HttpRequest, type HttpResponse, createHttp } from './http.ts';
export { type Listening, listen } from './listen.ts';
export { callAtRate } from './load/call-at-rate.ts';
export { repeat } from './load/repeat.ts';
export {
  type IdentityProviderFixture,
  type ProviderUser,
  startIdentityProvider,
} from './start-identity-provider.ts';
export { type MailServer, type ReceivedMail, startMailServer } from './start-mail-server.ts';
export {
  type ConnectProxy,
  type ConnectProxyOptions,
  VENDOR_CERTIFICATE,
  VENDOR_CERTIFICATE_FILE,
  startConnectProxy,
} from './start-connect-proxy.ts';
export { openIdleConnections } from './open-idle-connections.ts';
export { createTestDatabase, type TestDatabase } from './postgres/create-test-database.ts';
export { openTestDatabase } from './postgres/open-test-database.ts';
export { updateMessages } from './postgres/update-messages.ts';
export { type PgBouncer, startPgBouncer } from './postgres/start-pgbouncer.ts';
export { type PostgresReplica, startReplica } from './postgres/start-replica.ts';
export {
  FAILOVER_KINDS,
  type FailoverKind,
  type PatroniCluster,
  startPatroni,
} from './patroni/start-patroni.ts';
export { type PostgresServer, startPostgres } from './postgres/start-postgres.ts';
export type { CleanUps } from './processes/clean-up-on-signal.ts';
export { type Closers, createClosers } from './processes/create-closers.ts';
export { type CommandResult, runCommand } from './processes/run-command.ts';
export { OptionsError, parseNumber, readArguments, runProgram } from './processes/run-program.ts';
export {
  type AppOptions,
  startApi,
  startSimulator,
  startWorker,
  TEST_SECRET_KEY,
} from './processes/start-app.ts';
export {
  type ChildExit,
  type ChildOptions,
  type ChildProcess,
  startChild,
} from './processes/start-child.ts';
export { startOnce } from './processes/start-once.ts';
export { findProgramFile } from './processes/find-program-file.ts';
export { type Relay, startRelay } from './processes/start-relay.ts';
export { rejectionOf } from './rejection-of.ts';
export { ROOT_FOLDER } from './root-folder.ts';
export { mapBounded, numbersTo, sendEach } from './send-each.ts';
export { type CertificateName, certificatePath } from './redis/certificates.ts';
export { createTestRedis, type TestRedis } from './redis/create-test-redis.ts';
export { type RedisServer, startRedis } from './redis/start-redis.ts';
export type { RedisGroup } from './redis/redis-group.ts';
export { startRedisCluster } from './redis/start-redis-cluster.ts';
export { startRedisSentinels } from './redis/start-redis-sentinels.ts';
export {
  findHaproxy,
  findKannelSmsc,
  findNginx,
  findPrometheus,
  findExporter,
  findPromtool,
  findRestic,
} from './programs/find-program.ts';
export { type PostgresPrograms, findPostgresPrograms } from './programs/find-postgres-programs.ts';
export { readKannelQuery, startKannel } from './programs/start-kannel.ts';
export { findFaketime } from './programs/find-library.ts';
