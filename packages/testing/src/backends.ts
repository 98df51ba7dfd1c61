import { createTestDatabase } from './postgres/create-test-database.ts';
import { startPostgres } from './postgres/start-postgres.ts';
import { createTestRedis } from './redis/create-test-redis.ts';
import { startRedisCluster } from './redis/start-redis-cluster.ts';
import { startRedis } from './redis/start-redis.ts';

const NOWHERE = 'postgres://nowhere.invalid';

/**
 * What queue and bus run on, the same suites on each. A database or a Redis that may be shared with
 * other tests: what keeps them apart has a name of its own in each package.
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

/** A server that belongs to one test, and the faults that it can have. */
export interface OwnServer {
  options: { redisUrl: string | null; databaseUrl: string };
  server: {
    stop(): Promise<void>;
    kill(): Promise<void>;
    start(): Promise<void>;
    /** It hangs: connections stay open, and nothing answers. */
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
