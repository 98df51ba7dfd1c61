import { join } from 'node:path';
import { type PgBouncer, startPgBouncer } from '../postgres/start-pgbouncer.ts';
import {
  type PostgresServer,
  type PostgresOptions,
  startPostgres,
} from '../postgres/start-postgres.ts';
import type { CleanUps } from '../processes/clean-up-on-signal.ts';
import { type Closers, createClosers } from '../processes/create-closers.ts';
import { startSimulator } from '../processes/start-app.ts';
import { findPgBouncer, findRedisServer } from '../programs/find-program.ts';
import type { RedisGroup } from '../redis/redis-group.ts';
import { startRedisCluster } from '../redis/start-redis-cluster.ts';
import { startRedisSentinels } from '../redis/start-redis-sentinels.ts';
import { type RedisOptions, type RedisServer, startRedis } from '../redis/start-redis.ts';
import {
  type Env,
  type ProcessSlot,
  type ProcessSlotOptions,
  createProcessSlot,
} from './process-slot.ts';

const START_REDIS_GROUP = {
  sentinels: startRedisSentinels,
  cluster: startRedisCluster,
} as const;

/** One server or a cluster. */
interface DatabaseOfRun {
  url: string;
  close(): Promise<void>;
}

export type RedisGroupKind = keyof typeof START_REDIS_GROUP;

export interface EnvironmentOptions<Database extends DatabaseOfRun = PostgresServer> {
  /** Folder for log files; null to keep no logs. */
  folder: string | null;
  cleanUps?: CleanUps | undefined;
  postgres?: Omit<PostgresOptions, 'logFile'>;
  /** Starts the database; replaces the single server with the options above. */
  startDatabase?: (() => Promise<Database>) | undefined;
  /** Whether PgBouncer runs in transaction mode between the service and PostgreSQL. */
  pgBouncer?: { poolSize?: number } | null;
  /** One server with these options, or a group; null to use PostgreSQL instead of Redis. */
  redis: Omit<RedisOptions, 'program'> | RedisGroupKind | null;
}

/** The servers and processes of a run on this machine. */
export interface Environment<Database extends DatabaseOfRun = PostgresServer> {
  postgres: Database;
  pgBouncer: PgBouncer | null;
  redis: RedisServer | null;
  redisGroup: RedisGroup | null;
  /** The settings with which a process of the service finds the servers. */
  settings: Env;
  closers: Closers;
  startSimulator(env?: Env): Promise<ProcessSlot>;
  /** Starts a process of the service. */
  startProcess(options: ProcessSlotOptions): Promise<ProcessSlot>;
  /**
   * Stops the processes of the service gracefully, so that their output is complete. The servers
   * keep running.
   */
  stopService(): Promise<void>;
}

/** The parts of an environment that its users need. */
export interface Opened {
  stopService(): Promise<void>;
  /** Stops all processes and servers. */
  close(): Promise<void>;
}

/** Starts the servers and what `build` adds to them. Stops all of them if one fails to start. */
export async function openEnvironment<
  T extends object,
  Database extends DatabaseOfRun = PostgresServer,
>(
  options: EnvironmentOptions<Database>,
  build: (environment: Environment<Database>) => Promise<T>,
): Promise<T & Opened> {
  const closers = createClosers();
  const slots: ProcessSlot[] = [];
  let serviceStopped: Promise<void> | null = null;
  let isClosing = false;

  function stopService(): Promise<void> {
    serviceStopped ??= Promise.all(slots.map((slot) => slot.stop())).then(() => undefined);
    return serviceStopped;
  }

  async function close(): Promise<void> {
    isClosing = true;
    await stopService();
    await closers.close();
  }

  const openSlot = (process: ProcessSlotOptions, end: (slot: ProcessSlot) => Promise<void>) =>
    closers.open(
      () => createProcessSlot(process, { folder: options.folder, mayRetry: () => !isClosing }),
      end,
    );
  options.cleanUps?.add(close);

  try {
    const environment = await startServers(options, closers);
    const built = await build({
      ...environment,
      closers,
      startSimulator: (env = {}) =>
        openSlot(
          {
            name: 'carrier',
            kind: 'simulator',
            start: (settings) => startSimulator({ ...env, ...settings }),
          },
          async (simulator) => {
            await simulator.stop();
            if (simulator.failures.length > 0) throw new Error(simulator.failures.join('\n'));
          },
        ),
      async startProcess(process) {
        const slot = await openSlot(process, (opened) => opened.stop());
        slots.push(slot);
        return slot;
      },
      stopService,
    });
    return { ...built, stopService, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startServers<Database extends DatabaseOfRun>(
  { folder, ...options }: EnvironmentOptions<Database>,
  closers: Closers,
) {
  const startOne = (): Promise<PostgresServer> =>
    startPostgres({
      ...options.postgres,
      ...(folder !== null && { logFile: join(folder, 'postgres.log') }),
    });
  // Without `startDatabase`, `Database` is its default type.
  const startDatabase = options.startDatabase ?? (startOne as () => Promise<DatabaseOfRun>);
  const postgres = (await closers.open(() => startDatabase())) as Database;
  const { redis: redisOptions, pgBouncer: bouncerOptions = null } = options;
  const pgBouncer =
    bouncerOptions === null
      ? null
      : await closers.open(async () => {
          const program = await findPgBouncer();
          return startPgBouncer({ databaseUrl: postgres.url, program, ...bouncerOptions });
        });
  const program = redisOptions === null ? '' : await findRedisServer();
  const redisGroup =
    typeof redisOptions === 'string'
      ? await closers.open(() => START_REDIS_GROUP[redisOptions]({ program }))
      : null;
  const redis =
    redisOptions === null || typeof redisOptions === 'string'
      ? null
      : await closers.open(() => startRedis({ ...redisOptions, program }));
  const redisUrl = redis?.url ?? redisGroup?.url;
  const settings: Env = {
    DATABASE_URL: pgBouncer?.url ?? postgres.url,
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
  };
  return { postgres, pgBouncer, redis, redisGroup, settings };
}
