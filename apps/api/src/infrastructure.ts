import { POOL_SIZES } from '@switchboard/core';
import {
  createDatabase,
  createDatabaseClock,
  createHistoryReads,
  createProcessReport,
  createProcessStore,
} from '@switchboard/database';
import { createEventBus } from '@switchboard/events';
import { createMediaLinks, openMediaStorage } from '@switchboard/media';
import {
  createProviderRegistry,
  createResolveProviderAccount,
  readApiUrls,
  readProxy,
} from '@switchboard/providers';
import { createHintProducer } from '@switchboard/queue';
import { createRateLimits } from '@switchboard/rate-limits';
import {
  type Logger,
  createHashErased,
  createSecretBox,
  getDirectDatabaseUrl,
  listSecretKeys,
} from '@switchboard/runtime';
import type { ApiConfig } from './config.ts';

const QUEUE_TIMEOUT_MS = 2_000;
const BUS_TIMEOUT_MS = 2_000;
/**
 * Long enough for a busy machine. After this timeout, each process counts separately, which is less
 * exact.
 */
const LIMIT_TIMEOUT_MS = 2_000;

export type Infrastructure = Awaited<ReturnType<typeof createInfrastructure>>;

/** Opens all connections of the API. `close` closes them. */
export async function createInfrastructure(config: ApiConfig, logger: Logger) {
  // First, because nothing closes what is open if a module cannot be loaded.
  const apiUrls = readApiUrls(config);
  const registry = await createProviderRegistry({
    apiUrls,
    callTimeoutMs: config.PROVIDER_TIMEOUT_MS,
    privateNetworks: config.PROVIDER_PRIVATE_NETWORKS,
    proxy: readProxy(config),
  });
  const reportError = (part: string) => (error: unknown) =>
    logger.warn({ err: error, part }, 'background error');
  const hashErased = createHashErased(config.SECRET_KEY);
  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: POOL_SIZES.api,
    applicationName: 'switchboard-api',
    hashErased,
    onError: reportError('database'),
  });
  const clock = createDatabaseClock({ database, onError: reportError('clock') });
  // Serves only queries that show history. Reads on which a decision depends never use it.
  const history = createHistoryReads({
    primary: database,
    replicaUrl: config.REPLICA_DATABASE_URL ?? null,
    maxLagMs: config.REPLICA_MAX_LAG_MS,
    poolSize: POOL_SIZES.apiHistory,
    applicationName: 'switchboard-api-history',
    hashErased,
    onError: reportError('replica'),
    onChange: (from, reason) =>
      logger[from === 'replica' ? 'info' : 'warn']({ from, reason }, 'history reads switched'),
  });
  const backend = {
    redisUrl: config.REDIS_URL ?? null,
    // LISTEN and session locks need a connection of their own.
    databaseUrl: getDirectDatabaseUrl(config),
  };
  const bus = createEventBus({
    ...backend,
    timeoutMs: BUS_TIMEOUT_MS,
    onError: reportError('events'),
  });
  const hints = createHintProducer({
    ...backend,
    timeoutMs: QUEUE_TIMEOUT_MS,
    onError: reportError('queue'),
  });
  const limits = createRateLimits({
    redisUrl: backend.redisUrl,
    pool: database.pool,
    timeoutMs: LIMIT_TIMEOUT_MS,
    onError: reportError('rate limits'),
  });
  const secretBox = createSecretBox(config.SECRET_KEY);
  const mediaStorage = openMediaStorage(config);
  const mediaLinks = createMediaLinks({
    publicUrl: config.PUBLIC_URL,
    keys: listSecretKeys(config.SECRET_KEY),
  });
  const processes = createProcessStore(database);
  const processReport = createProcessReport({
    store: processes,
    role: 'api',
    keyIds: secretBox.keyIds,
    onError: reportError('process list'),
  });

  return {
    reportError,
    database,
    hashErased,
    clock,
    history,
    backend: backend.redisUrl === null ? ('PostgreSQL' as const) : ('Redis' as const),
    bus,
    hints,
    limits,
    apiUrls,
    registry,
    resolveProviderAccount: createResolveProviderAccount({ registry, secretBox }),
    secretBox,
    mediaStorage,
    mediaLinks,
    processes,
    processReport,
    async close(): Promise<void> {
      clock.stop();
      const open = [hints, bus, limits, registry, history];
      await Promise.all([
        ...open.map((part) => part.close()),
        mediaStorage?.close(),
        processReport.stop(),
      ]);
      await database.close();
    },
  };
}
