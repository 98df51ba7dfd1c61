import {
  createTestDatabase,
  createTestRedis,
  startPostgres,
  startRedis,
  startRedisCluster,
} from '@switchboard/testing';

import type { EventBusOptions } from '../src/create-event-bus.ts';

const NOWHERE = 'postgres://nowhere.invalid';

/** A database or a Redis that may be shared with other tests. */
export const BACKENDS = [
  {
    name: 'Redis',
    async open() {
      const { url, prefix, close } = await createTestRedis();
      return { options: { redisUrl: url, databaseUrl: NOWHERE, channel: prefix }, close };
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

/** A server of the test's own, and what can befall it. */
export interface OwnServer {
  options: Pick<EventBusOptions, 'redisUrl' | 'databaseUrl'>;
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
