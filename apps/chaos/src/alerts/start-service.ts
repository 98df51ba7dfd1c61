import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@switchboard/embedded-postgres';
import {
  type ChildProcess,
  type Closers,
  type PostgresReplica,
  type PostgresServer,
  type RedisServer,
  type WorkspaceFixture,
  createWorkspaceFixture,
  findRedisServer,
  startApi,
  startPostgres,
  startRedis,
  startReplica,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import { type Carrier, createCarrier } from '../carrier.ts';
import type { Http } from '../http.ts';
import { type SlowLine, openSlowLine } from './slow-line.ts';

/** A process that can be ended, and started again at its address. */
export interface Restartable {
  url: string;
  /** kill -9. */
  kill(): Promise<void>;
  /** `settings` instead of, or besides, its own. */
  start(settings?: Record<string, string>): Promise<void>;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
}

/** The service as Prometheus sees it in production: two of each kind, on Redis. */
export interface Service {
  postgres: PostgresServer;
  /** `otherApi` reads history from it. */
  replica: PostgresReplica;
  redis: RedisServer;
  simulator: Restartable;
  carrier: Carrier;
  /** Takes the callbacks of both workers. */
  api: Restartable;
  /** Reaches the database by `line`. */
  otherApi: Restartable;
  line: SlowLine;
  workers: readonly [Restartable, Restartable];
  workspaces: {
    /** What most of the load is sent in. */
    busy: WorkspaceFixture;
    /** Fails what stays unknown instead of sending it again. */
    oneTimeCodes: WorkspaceFixture;
    /** For the fault of its credentials. */
    lockedOut: WorkspaceFixture;
    /** Nothing happens in it. */
    quiet: WorkspaceFixture;
  };
}

/** As production's, but shorter where a rule waits for them; the order between them is the same. */
const SETTINGS = {
  PROVIDER_TIMEOUT_MS: '3000',
  LEASE_MS: '8000',
  UNKNOWN_LOOKUPS_MS: '3000,6000,12000',
  POLL_MS: '8000,16000,32000,64000,128000',
  WORKER_CONCURRENCY: '20',
  RATE_LIMIT_MESSAGING: '1000000',
  LOG_LEVEL: 'warn',
};
/** Beyond the hold, which is the last of `UNKNOWN_LOOKUPS_MS`. */
export const BEYOND_THE_HOLD_MS = 20_000;

export async function startService(closers: Closers, http: Http): Promise<Service> {
  async function run(
    start: (settings: Record<string, string>) => Promise<ChildProcess>,
    url: string,
  ): Promise<Restartable> {
    let child: ChildProcess = await closers.open(
      () => start({}),
      () => child.stop(),
    );
    return {
      url,
      kill: () => child.kill(),
      async start(settings = {}) {
        child = await start(settings);
      },
      signal: (signal) => child.signal(signal),
    };
  }

  const postgres = await closers.open(() => startPostgres());
  const replica = await closers.open(() => startReplica(postgres));
  const redis = await closers.open(async () => startRedis({ program: await findRedisServer() }));
  const line = await closers.open(() => openSlowLine(postgres.url));

  const urls: string[] = [];
  for (let number = 0; number < 5; number += 1) {
    urls.push(`http://127.0.0.1:${await findFreePort()}`);
  }
  const [carrierUrl = '', apiUrl = '', otherUrl = '', ...workerUrls] = urls;
  const common = {
    ...SETTINGS,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    TWILIO_API_URL: carrierUrl,
    PUBLIC_URL: apiUrl,
  };
  // It knows its accounts and messages again when it is started again.
  const ledger = await closers.open(
    () => mkdtemp(join(tmpdir(), 'switchboard-alerts-ledger-')),
    (made) => rm(made, { recursive: true, force: true }),
  );
  const simulator = await run(
    () => startSimulator({ SIMULATOR_PORT: new URL(carrierUrl).port, DATA_DIR: ledger }),
    carrierUrl,
  );
  const api = await run(
    (settings) => startApi({ ...common, PORT: new URL(apiUrl).port, ...settings }),
    apiUrl,
  );
  const otherApi = await run(
    (settings) =>
      startApi({
        ...common,
        PORT: new URL(otherUrl).port,
        PUBLIC_URL: otherUrl,
        DATABASE_URL: line.url,
        REPLICA_DATABASE_URL: replica.url,
        ...settings,
      }),
    otherUrl,
  );
  const [first = '', second = ''] = workerUrls;
  const runWorker = (url: string) =>
    run(
      (settings) => startWorker({ ...common, METRICS_PORT: new URL(url).port, ...settings }),
      url,
    );
  const workers = [await runWorker(first), await runWorker(second)] as const;
  const fixture = (onUnknown: 'resend' | 'fail' = 'resend') =>
    createWorkspaceFixture(postgres.url, { onUnknown });
  return {
    postgres,
    replica,
    redis,
    simulator,
    carrier: createCarrier(carrierUrl, http),
    api,
    otherApi,
    line,
    workers,
    workspaces: {
      busy: await fixture(),
      oneTimeCodes: await fixture('fail'),
      lockedOut: await fixture(),
      quiet: await fixture(),
    },
  };
}
