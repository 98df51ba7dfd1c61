import { POOL_SIZES } from '@switchboard/core';
import {
  createDatabase,
  createDatabaseClock,
  createProcessReport,
  createProcessStore,
} from '@switchboard/database';
import { createEventBus } from '@switchboard/events';
import { createMediaLinks, openMediaStorage } from '@switchboard/media';
import {
  createCheckedPost,
  createProviderRegistry,
  createResolveProviderAccount,
  createWebhookTargets,
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
  rememberOpened,
} from '@switchboard/runtime';
import { createLogBackgroundError } from './background-errors.ts';
import { maxCallsInFlight } from './call-slots.ts';
import type { Config } from './config.ts';
import { INBOUND_CONCURRENCY } from './inbound/inbound-reader.ts';
import { RECONCILE_CONCURRENCY } from './reconcile/create-reconciliation.ts';

/** About the interval between sweeps: a hanging queue delays one sweep by at most this long. */
export const QUEUE_TIMEOUT_MS = 1_000;
export const BUS_TIMEOUT_MS = 2_000;
const LIMIT_TIMEOUT_MS = 2_000;

export type Infrastructure = Awaited<ReturnType<typeof createInfrastructure>>;

/**
 * Opens all connections of the worker. `close` closes all except the bus, which is closed earlier.
 */
export async function createInfrastructure(config: Config, logger: Logger) {
  // First, because nothing closes what is open if a module cannot be loaded.
  const registry = await createProviderRegistry({
    apiUrls: readApiUrls(config),
    callTimeoutMs: config.PROVIDER_TIMEOUT_MS,
    privateNetworks: config.PROVIDER_PRIVATE_NETWORKS,
    proxy: readProxy(config),
    // Lookups and lists have their own connections, so that sends do not wait for them.
    maxConnections:
      maxCallsInFlight(config.WORKER_CONCURRENCY) +
      maxCallsInFlight(RECONCILE_CONCURRENCY) +
      INBOUND_CONCURRENCY,
  });
  const logBackgroundError = createLogBackgroundError(logger);
  const onError = (part: string) => (error: Error) => logBackgroundError(part, error);
  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: POOL_SIZES.worker,
    applicationName: 'switchboard-worker',
    hashErased: createHashErased(config.SECRET_KEY),
    onError: onError('database'),
  });
  const backend = {
    redisUrl: config.REDIS_URL ?? null,
    // LISTEN and session locks need a dedicated connection.
    databaseUrl: getDirectDatabaseUrl(config),
  };
  const queueOptions = { ...backend, timeoutMs: QUEUE_TIMEOUT_MS, onError: onError('queue') };
  const producer = createHintProducer(queueOptions);
  const limits = createRateLimits({
    redisUrl: backend.redisUrl,
    pool: database.pool,
    timeoutMs: LIMIT_TIMEOUT_MS,
    onError: (error) => logBackgroundError('rate limits', error),
  });
  const secretBox = createSecretBox(config.SECRET_KEY);
  const openedSecrets = rememberOpened(secretBox);
  const poster = createCheckedPost({
    timeoutMs: config.WEBHOOK_TIMEOUT_MS,
    proxy: readProxy(config),
    targets: createWebhookTargets({
      privateNetworks: config.WEBHOOK_PRIVATE_NETWORKS,
      allowLoopback: config.WEBHOOK_ALLOW_LOOPBACK,
    }),
  });
  const mediaStorage = openMediaStorage(config);
  const processReport = createProcessReport({
    store: createProcessStore(database),
    role: 'worker',
    keyIds: secretBox.keyIds,
    onError: onError('process list'),
  });

  return {
    database,
    databaseClock: createDatabaseClock({ database, onError: onError('clock') }),
    bus: createEventBus({ ...backend, timeoutMs: BUS_TIMEOUT_MS, onError: onError('bus') }),
    queueOptions,
    producer,
    limits,
    poster,
    openedSecrets,
    mediaStorage,
    mediaLinks: createMediaLinks({
      publicUrl: config.PUBLIC_URL,
      keys: listSecretKeys(config.SECRET_KEY),
    }),
    registry,
    resolveProviderAccount: createResolveProviderAccount({
      registry,
      secretBox: openedSecrets,
    }),
    processReport,
    async close(): Promise<void> {
      await Promise.all([
        registry.close(),
        producer.close(),
        limits.close(),
        poster.close(),
        mediaStorage?.close(),
        processReport.stop(),
      ]);
      await database.close();
    },
  };
}
