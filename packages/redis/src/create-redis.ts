import { reconnectDelayMs } from '@switchboard/core';
import { Redis, type RedisOptions } from 'ioredis';
import { CLUSTER_TAG, createMasterFinder } from './find-master.ts';
import { createMasterConnector } from './master-connector.ts';
import { parseRedisUrl } from './parse-redis-url.ts';

export interface RedisClientOptions extends Pick<
  RedisOptions,
  | 'autoResubscribe'
  | 'commandTimeout'
  | 'enableOfflineQueue'
  | 'lazyConnect'
  | 'maxRetriesPerRequest'
> {
  url: string;
  /** The timeout for connecting and for disconnecting. */
  timeoutMs: number;
  /** How long a connection may be silent while a command waits for its response. */
  silenceMs?: number;
  /** How often a connection checks whether its server is still the master. */
  checkEveryMs?: number;
}

const CHECK_EVERY_MS = 10_000;

/**
 * Errors of a server that is no longer the master or does not have our keys, and of the nodes of a
 * cluster during a failover.
 */
const NOT_THE_MASTER = /^(READONLY|MOVED|UNBLOCKED|CLUSTERDOWN) /;

/**
 * Creates a connection to the master of a single server, of sentinels or of a cluster (see
 * `parseRedisUrl`), which reconnects forever. Nothing else in the repository connects to Redis.
 */
export function createRedis(options: RedisClientOptions): Redis {
  const { url, timeoutMs, silenceMs, checkEveryMs = CHECK_EVERY_MS, ...rest } = options;
  const bounds = { timeoutMs, checkEveryMs };
  const target = parseRedisUrl(url);
  const finder = createMasterFinder(target, timeoutMs);
  const client = new Redis({
    ...rest,
    ...target.login,
    db: target.database,
    // ioredis waits for the handshake when this is set; the connector opens the connection.
    ...(target.tls !== null && { tls: target.tls }),
    Connector: createMasterConnector({ kind: target.kind, tls: target.tls, finder, ...bounds }),
    connectTimeout: timeoutMs,
    disconnectTimeout: timeoutMs,
    ...(silenceMs !== undefined && { socketTimeout: silenceMs }),
    keepAlive: 10_000,
    retryStrategy: (attempt: number) => reconnectDelayMs(attempt - 1),
    reconnectOnError: (error) => {
      if (!NOT_THE_MASTER.test(error.message)) return false;
      finder.distrust();
      // The command was refused, so sending it again is safe. A client without retries fails it
      // instead.
      return 2;
    },
  });
  return withErrorListener(client);
}

/**
 * Adds an error listener: ioredis prints an `error` event without a listener as plain text into the
 * JSON log. BullMQ removes its listeners when it closes, and duplicates clients, and a duplicate has no
 * listener. Failed commands and the owner's own listener report the same errors.
 */
function withErrorListener(client: Redis): Redis {
  client.on('error', () => undefined);
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (override) => withErrorListener(duplicate(override));
  return client;
}

/**
 * Returns the prefix that keys must have on this Redis. In a cluster, it has the tag that keeps them
 * together.
 */
export function toKeyPrefix(url: string, prefix: string): string {
  return parseRedisUrl(url).kind === 'cluster' ? `${CLUSTER_TAG}:${prefix}` : prefix;
}
