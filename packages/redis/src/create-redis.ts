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
  /** Bound of connecting, and of letting go. */
  timeoutMs: number;
  /** How long a connection that owes an answer is taken for alive. */
  silenceMs?: number;
  /** How often it looks whether the master still is the master. */
  lookEveryMs?: number;
}

const LOOK_EVERY_MS = 10_000;

/**
 * What a master says that is none any more, or never was for our keys; and any node of a cluster
 * until it has heard that a dead master's place is taken.
 */
const NOT_THE_MASTER = /^(READONLY|MOVED|UNBLOCKED|CLUSTERDOWN) /;

/**
 * The one place that connects to Redis. A connection to the master of a single server, of sentinels
 * or of a cluster (see `parseRedisUrl`), that is made anew for ever.
 */
export function createRedis(options: RedisClientOptions): Redis {
  const { url, timeoutMs, silenceMs, lookEveryMs = LOOK_EVERY_MS, ...rest } = options;
  const bounds = { timeoutMs, lookEveryMs };
  const target = parseRedisUrl(url);
  const finder = createMasterFinder(target, timeoutMs);
  const client = new Redis({
    ...rest,
    ...target.login,
    db: target.database,
    // ioredis waits for the handshake by it; the connector makes the connection.
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
      // Refused, so surely not done: to be sent again, where commands wait for a connection at all.
      return 2;
    },
  });
  return withErrorListener(client);
}

/**
 * ioredis prints an `error` event without a listener as raw text, in the middle of a JSON log. BullMQ
 * takes its listeners away when it closes, and duplicates the client, whose copies have none. The
 * commands that fail, and the owner's own listener, report the same errors.
 */
function withErrorListener(client: Redis): Redis {
  client.on('error', () => undefined);
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (override) => withErrorListener(duplicate(override));
  return client;
}

/** How keys have to begin on this Redis: in a cluster, with what keeps them together. */
export function toKeyPrefix(url: string, prefix: string): string {
  return parseRedisUrl(url).kind === 'cluster' ? `${CLUSTER_TAG}:${prefix}` : prefix;
}
