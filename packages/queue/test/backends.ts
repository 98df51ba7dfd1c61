import { startPostgres, startRedis } from '@switchboard/testing';
import pg from 'pg';

import type { QueueOptions } from '../src/queue-options.ts';

/** A server of the test's own, and what can befall it. */
export interface Backend {
  options: Pick<QueueOptions, 'redisUrl' | 'databaseUrl'>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Connections stay open, new ones too are taken, and nothing answers. */
  hang(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

async function openRedis(): Promise<Backend> {
  const redis = await startRedis();
  return {
    options: { redisUrl: redis.url, databaseUrl: 'postgres://nowhere.invalid/none' },
    stop: redis.stop,
    kill: redis.kill,
    start: redis.start,
    hang: async () => redis.pause(),
    resume: async () => redis.resume(),
    close: redis.close,
  };
}

async function openPostgres(): Promise<Backend> {
  const postgres = await startPostgres();
  let stopped: number[] = [];
  return {
    options: { redisUrl: null, databaseUrl: postgres.url },
    stop: postgres.stop,
    kill: postgres.kill,
    start: postgres.start,
    async hang() {
      stopped = await findProcesses(postgres.url);
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    },
    async resume() {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    },
    close: postgres.close,
  };
}

/** Those that serve a connection, and the one that takes new ones. */
async function findProcesses(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
       UNION ALL
       SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int`,
    );
    return rows.map((row) => row.pid);
  } finally {
    await client.end();
  }
}

export const BACKENDS = [
  { name: 'Redis', open: openRedis },
  { name: 'PostgreSQL', open: openPostgres },
];
