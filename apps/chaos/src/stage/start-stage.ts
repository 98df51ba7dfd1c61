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
  findFaketime,
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
import { type Relay, startRelay } from './start-relay.ts';

export type Backend = 'redis' | 'postgres';

export interface ChaosWorkspace extends WorkspaceFixture {
  /** The number whose messages the carrier hands to the service. */
  inbound: string;
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
  /** Between the service and the carrier's API. */
  carrierLink: Relay;
  /** In front of the APIs: where `PUBLIC_URL` points, which signatures and callbacks name. */
  balancer: Relay;
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
  /** How far ahead of this machine's clock that of a process is, drawn at each of its starts. */
  drawClockOffsetMs?(): number;
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
const ADD_NUMBER_MS = 20_000;
const MOST_NUMBERS = 5;
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
    const { redisGroup: groupKind } = options;
    const redisGroup =
      groupKind === undefined
        ? null
        : await closers.open(() => START_REDIS_GROUP[groupKind]({ program }));
    const redisUrl = redis?.url ?? redisGroup?.url;
    const simulator = await openSimulator(closers, folder);
    const carrierLink = await closers.open(() => startRelay([Number(new URL(simulator.url).port)]));
    const clock = await createClock(options.drawClockOffsetMs ?? (() => 0));

    const workspaces = await Promise.all(
      ON_UNKNOWN.map(async (onUnknown) => ({
        ...(await createWorkspaceFixture(postgres.url, { onUnknown })),
        onUnknown,
        inbound: '',
      })),
    );
    const settings = {
      ...SERVICE_SETTINGS,
      DATABASE_URL: pgBouncer?.url ?? postgres.url,
      TWILIO_API_URL: carrierLink.url,
      ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
      ...options.settings,
    };
    const ports = await Promise.all(Array.from({ length: PROCESSES_PER_KIND }, findFreePort));
    const balancer = await closers.open(() => startRelay(ports));
    for (const [index, port] of ports.entries()) {
      const start = {
        api: () =>
          startApi({ ...settings, ...clock(), PORT: String(port), PUBLIC_URL: balancer.url }),
        worker: () => startWorker({ ...settings, ...clock(), PUBLIC_URL: balancer.url }),
      };
      for (const kind of ['api', 'worker'] as const) {
        const name = `${kind}-${index + 1}`;
        slots.push(await createProcessSlot({ name, kind, folder, start: start[kind] }));
      }
    }
    const apiUrls = ports.map((port) => `http://127.0.0.1:${port}`);
    for (const [index, workspace] of workspaces.entries()) {
      const first = 100 + index * MOST_NUMBERS;
      workspace.inbound = await addNumber(http, apiUrls[0] ?? '', workspace.apiKey, first);
    }
    return {
      postgres,
      redis,
      redisGroup,
      pgBouncer,
      carrier: createCarrier(simulator.url, http),
      carrierLink,
      balancer,
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

/** Environments that give each process that starts the clock that is drawn for it. */
async function createClock(drawOffsetMs: () => number): Promise<() => Record<string, string>> {
  const library = await findFaketime();
  return () => {
    const offsetMs = drawOffsetMs();
    if (offsetMs === 0) return {};
    // Leases and time-outs go by the monotonic clock, which no operator can set wrong.
    const seconds = `${offsetMs > 0 ? '+' : ''}${offsetMs / 1_000}`;
    return { LD_PRELOAD: library, FAKETIME: seconds, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
  };
}

/**
 * By the service's own route, so that it has the carrier hand over what the number receives. A busy
 * machine may take longer for that than a call may take: then another number has its turn.
 */
async function addNumber(http: Http, apiUrl: string, apiKey: string, first: number) {
  for (let last = first; last < first + MOST_NUMBERS; last += 1) {
    const number = `+14155550${last}`;
    const answer = await http.ask(`${apiUrl}/api/numbers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ number }),
      timeoutMs: ADD_NUMBER_MS,
    });
    const { inbound_wired: isWired } = JSON.parse(answer.text) as { inbound_wired?: boolean };
    if (isWired === true) return number;
  }
  throw new Error('The service has configured no number for inbound messages.');
}
