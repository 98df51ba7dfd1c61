import { createTestDatabase } from './postgres/create-test-database.ts';
import { startPostgres } from './postgres/start-postgres.ts';
import { createTestRedis } from './redis/create-test-redis.ts';
import { startRedisCluster } from './redis/start-redis-cluster.ts';
import { startRedis } from './redis/start-redis.ts';

const NOWHERE = 'postgres://nowhere.invalid';

/**
 * The servers that queue and event bus run on; the same suites run on each. A database or a Redis
 * may be shared with other tests, so each package uses its own names or prefixes in it.
 */
export const BACKENDS = [
  {
    name: 'Redis',
    async open() {
      const { url, prefix, close } = await createTestRedis();
      const apart = { redisPrefix: prefix, channel: prefix };
      return { options: { redisUrl: url, databaseUrl: NOWHERE, ...apart }, close };
    },
  },
  {
    name: 'a Redis cluster',
    async open() {
      const { url, close } = await startRedisCluster();
      return { options: { redisUrl: url, databaseUrl: NOWHERE }, close };
    },
  },
  {
    name: 'PostgreSQL',
    async open() {
      const { url, drop } = await createTestDatabase();
      return { options: { redisUrl: null, databaseUrl: url }, close: drop };
    },
  },
];

/** A server that belongs to one test, with the faults that a test can inject. */
export interface OwnServer {
  options: { redisUrl: string | null; databaseUrl: string };
  server: {
    stop(): Promise<void>;
    kill(): Promise<void>;
    start(): Promise<void>;
    /** Makes the server hang: connections stay open, and nothing answers. */
    pause(): void | Promise<void>;
    resume(): void;
    close(): Promise<void>;
  };
}

async function openRedis(): Promise<OwnServer> {
  const server = await startRedis();
  return { options: { redisUrl: server.url, databaseUrl: NOWHERE }, server };
}

async function openPostgres(): Promise<OwnServer> {
  const server = await startPostgres();
  return { options: { redisUrl: null, databaseUrl: server.url }, server };
}

export const OWN_SERVERS = [
  { name: 'Redis', open: openRedis },
  { name: 'PostgreSQL', open: openPostgres },
];
