import { join } from 'node:path';
import { findFreePort } from '@switchboard/embedded-postgres';
import {
  type PgBouncer,
  type PostgresServer,
  type RedisGroup,
  type CleanUps,
  type RedisServer,
  type WorkspaceFixture,
  createClosers,
  createWorkspaceFixture,
  findPgBouncer,
  findRedisServer,
  startApi,
  startPgBouncer,
  startPostgres,
  startRedis,
  startRedisCluster,
  startRedisSentinels,
  startWorker,
} from '@switchboard/testing';
import { type Carrier, createCarrier } from '../carrier.ts';
import { type Http, createHttp } from '../http.ts';
import { SERVICE_SETTINGS } from '../timings.ts';
import { openSimulator } from './open-simulator.ts';
import { type ProcessSlot, createProcessSlot } from './process-slot.ts';

export type Backend = 'redis' | 'postgres';

export interface ChaosWorkspace extends WorkspaceFixture {
  /** What an outcome that stays unknown does here. */
  onUnknown: 'resend' | 'fail';
}

/** The whole service on this machine, with everything that can be broken. */
export interface Stage {
  postgres: PostgresServer;
  /** Null where PostgreSQL does its work. */
  redis: RedisServer | null;
  /** Between the service and PostgreSQL, where that was asked for. */
  pgBouncer: PgBouncer | null;
  /** In place of `redis`, where that was asked for. */
  redisGroup: RedisGroup | null;
  carrier: Carrier;
  apis: readonly ProcessSlot[];
  workers: readonly ProcessSlot[];
  apiUrls: readonly string[];
  workspaces: readonly ChaosWorkspace[];
  http: Http;
  /** Ends the service in order, so that what it printed is complete; the servers go on. */
  stopService(): Promise<void>;
  close(): Promise<void>;
}

export interface StageOptions {
  backend: Backend;
  /** For the logs. */
  folder: string;
  cleanUps?: CleanUps;
  settings?: Record<string, string>;
  /** The service goes through PgBouncer in transaction mode. */
  pgBouncer?: boolean;
  /** Several Redis servers instead of one. */
  redisGroup?: keyof typeof START_REDIS_GROUP;
}

const START_REDIS_GROUP = {
  sentinels: startRedisSentinels,
  cluster: startRedisCluster,
} as const;

const PROCESSES_PER_KIND = 2;
const ON_UNKNOWN = ['resend', 'resend', 'fail'] as const;

export async function startStage(options: StageOptions): Promise<Stage> {
  const { backend, folder } = options;
  const closers = createClosers();
  let serviceStopped: Promise<void> | null = null;
  const slots: ProcessSlot[] = [];

  function stopService(): Promise<void> {
    serviceStopped ??= Promise.all(slots.map((slot) => slot.stop())).then(() => undefined);
    return serviceStopped;
  }

  async function close(): Promise<void> {
    await stopService();
    await closers.close();
  }
  options.cleanUps?.add(close);

  try {
    const http = await closers.open(async () => createHttp());
    const postgres = await closers.open(() =>
      startPostgres({ logFile: join(folder, 'postgres.log') }),
    );
    const pgBouncer =
      options.pgBouncer === true
        ? await closers.open(async () =>
            startPgBouncer({ databaseUrl: postgres.url, program: await findPgBouncer() }),
          )
        : null;
    const program = backend === 'redis' ? await findRedisServer() : '';
    const hasOneRedis = backend === 'redis' && options.redisGroup === undefined;
    const redis = hasOneRedis ? await closers.open(() => startRedis({ program })) : null;
    const { redisGroup: kind } = options;
    const redisGroup =
      kind === undefined ? null : await closers.open(() => START_REDIS_GROUP[kind]({ program }));
    const redisUrl = redis?.url ?? redisGroup?.url;
    const simulator = await openSimulator(closers, folder);

    const workspaces = await Promise.all(
      ON_UNKNOWN.map(async (onUnknown) => ({
        ...(await createWorkspaceFixture(postgres.url, { onUnknown })),
        onUnknown,
      })),
    );
    const settings = {
      ...SERVICE_SETTINGS,
      DATABASE_URL: pgBouncer?.url ?? postgres.url,
      TWILIO_API_URL: simulator.url,
      ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
      ...options.settings,
    };
    // Each worker has its callbacks sent to an API of its own: so both get some, and each API
    // is the one that a signature names.
    const apiUrls: string[] = [];
    for (let number = 1; number <= PROCESSES_PER_KIND; number += 1) {
      const port = await findFreePort();
      const url = `http://127.0.0.1:${port}`;
      apiUrls.push(url);
      const apiEnv = { ...settings, PORT: String(port), PUBLIC_URL: url };
      const workerEnv = { ...settings, PUBLIC_URL: url };
      slots.push(
        await createProcessSlot({
          name: `api-${number}`,
          kind: 'api',
          folder,
          start: () => startApi(apiEnv),
        }),
        await createProcessSlot({
          name: `worker-${number}`,
          kind: 'worker',
          folder,
          start: () => startWorker(workerEnv),
        }),
      );
    }
    return {
      postgres,
      redis,
      redisGroup,
      pgBouncer,
      carrier: createCarrier(simulator.url, http),
      apis: slots.filter((slot) => slot.kind === 'api'),
      workers: slots.filter((slot) => slot.kind === 'worker'),
      apiUrls,
      workspaces,
      http,
      stopService,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
