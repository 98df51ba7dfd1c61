import { findFreePort } from '@switchboard/embedded-postgres';
import {
  type CleanUps,
  type Environment,
  type Opened,
  type PatroniCluster,
  type PostgresServer,
  type ProcessSlot,
  type RedisGroupKind,
  type Relay,
  type WorkspaceFixture,
  createWorkspaceFixture,
  findFaketime,
  openEnvironment,
  startApi,
  startPatroni,
  startRelay,
  startWorker,
} from '@switchboard/testing';
import { type Carrier, createCarrier } from '../carrier.ts';
import { type Http, createHttp } from '../http.ts';
import { SERVICE_SETTINGS } from '../timings.ts';

export type Backend = 'redis' | 'postgres';

export interface ChaosWorkspace extends WorkspaceFixture {
  /** The number whose messages the carrier hands to the service. */
  inbound: string;
  /** What an outcome that stays unknown does here. */
  onUnknown: 'resend' | 'fail';
}

type Servers = Pick<Environment, 'pgBouncer' | 'redis' | 'redisGroup'>;

/** The whole service on this machine, with everything that can be broken. */
export interface Stage extends Servers, Opened {
  /** Null where Patroni's cluster is in its place. */
  postgres: PostgresServer | null;
  patroni: PatroniCluster | null;
  /** Of the primary of this moment. */
  databaseUrl(): Promise<string>;
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
  /** Three PostgreSQL servers under Patroni instead of one. */
  patroni?: boolean;
  /** Several Redis servers instead of one. */
  redisGroup?: RedisGroupKind;
}

type Built = Omit<Stage, keyof Opened>;

const PROCESSES_PER_KIND = 2;
const ADD_NUMBER_MS = 20_000;
const MOST_NUMBERS = 5;
const ON_UNKNOWN = ['resend', 'resend', 'fail'] as const;

export function startStage(options: StageOptions): Promise<Stage> {
  const { backend, folder, cleanUps } = options;
  const servers = {
    folder,
    cleanUps,
    startDatabase: options.patroni === true ? () => startPatroni({ logFolder: folder }) : undefined,
    pgBouncer: options.pgBouncer === true ? {} : null,
    redis: backend === 'redis' ? (options.redisGroup ?? {}) : null,
  };
  return openEnvironment<Built, PostgresServer | PatroniCluster>(servers, async (environment) => {
    const { closers, postgres: database, pgBouncer, redis, redisGroup } = environment;
    const http = await closers.open(async () => createHttp());
    const simulator = await environment.startSimulator();
    const carrierLink = await closers.open(() => startRelay([Number(new URL(simulator.url).port)]));
    const clock = await createClock(options.drawClockOffsetMs ?? (() => 0));

    const workspaces = await Promise.all(
      ON_UNKNOWN.map(async (onUnknown) => ({
        ...(await createWorkspaceFixture(database.url, { onUnknown })),
        onUnknown,
        inbound: '',
      })),
    );
    const ports = await Promise.all(Array.from({ length: PROCESSES_PER_KIND }, findFreePort));
    const balancer = await closers.open(() => startRelay(ports));
    const settings = {
      ...SERVICE_SETTINGS,
      ...environment.settings,
      TWILIO_API_URL: carrierLink.url,
      PUBLIC_URL: balancer.url,
      ...options.settings,
    };
    const apis: ProcessSlot[] = [];
    const workers: ProcessSlot[] = [];
    for (const [index, port] of ports.entries()) {
      apis.push(
        await environment.startProcess({
          name: `api-${index + 1}`,
          kind: 'api',
          start: () => startApi({ ...settings, ...clock(), PORT: String(port) }),
        }),
      );
      workers.push(
        await environment.startProcess({
          name: `worker-${index + 1}`,
          kind: 'worker',
          start: () => startWorker({ ...settings, ...clock() }),
        }),
      );
    }
    const apiUrls = ports.map((port) => `http://127.0.0.1:${port}`);
    for (const [index, workspace] of workspaces.entries()) {
      const first = 100 + index * MOST_NUMBERS;
      workspace.inbound = await addNumber(http, apiUrls[0] ?? '', workspace.apiKey, first);
    }
    const carrier = createCarrier(simulator.url, http);
    const broken = { ...describeDatabase(database), pgBouncer, redis, redisGroup };
    return { ...broken, carrier, carrierLink, balancer, apis, workers, apiUrls, workspaces, http };
  });
}

function describeDatabase(
  database: PostgresServer | PatroniCluster,
): Pick<Stage, 'postgres' | 'patroni' | 'databaseUrl'> {
  return 'failOver' in database
    ? { postgres: null, patroni: database, databaseUrl: () => database.primaryUrl() }
    : { postgres: database, patroni: null, databaseUrl: async () => database.url };
}

/** Environments that give each process that starts the clock that is drawn for it. */
async function createClock(drawOffsetMs: () => number): Promise<() => Record<string, string>> {
  const library = await findFaketime();
  return () => {
    const offsetMs = drawOffsetMs();
    if (offsetMs === 0) return {};
    // Leases and timeouts use the monotonic clock, which no operator can set wrong.
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
