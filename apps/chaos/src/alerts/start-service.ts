import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@switchboard/embedded-postgres';
import {
  addAccounts,
  type Carrier,
  type CleanUps,
  type Closers,
  createCarrier,
  createHttp,
  createWorkspaceFixture,
  type Http,
  type Opened,
  openEnvironment,
  type PostgresReplica,
  type PostgresServer,
  type ProcessSlot,
  type RedisServer,
  type Relay,
  startApi,
  startRelay,
  startReplica,
  startWorker,
  type WorkspaceFixture,
} from '@switchboard/testing';

/** A service as in production: two processes of each kind, with Redis. */
export interface Service extends Opened {
  http: Http;
  postgres: PostgresServer;
  /** `otherApi` reads history from the replica. */
  replica: PostgresReplica;
  redis: RedisServer;
  simulator: ProcessSlot;
  carrier: Carrier;
  /** Receives the callbacks for messages of both workers. */
  api: ProcessSlot;
  /** Connects to the database through `databaseProxy`. */
  otherApi: ProcessSlot;
  databaseProxy: Relay;
  workers: readonly [ProcessSlot, ProcessSlot];
  workspaces: {
    /** Gets most of the load. */
    busy: WorkspaceFixture;
    /** Fails messages with an unknown outcome instead of resending them. */
    oneTimeCodes: WorkspaceFixture;
    /** Has wrong credentials during one of the faults. */
    lockedOut: WorkspaceFixture;
    /** Sends through two providers with equal shares. */
    failover: WorkspaceFixture;
    /** Gets no load. */
    quiet: WorkspaceFixture;
  };
  /** Closes other resources together with the service. */
  closers: Closers;
}

/** The production timings, in the same order but shorter where a rule depends on them, and no rate limits. */
const SETTINGS = {
  PROVIDER_TIMEOUT_MS: '3000',
  LEASE_MS: '8000',
  UNKNOWN_LOOKUPS_MS: '3000,6000,12000',
  POLL_MS: '8000,16000,32000,64000,128000',
  WORKER_CONCURRENCY: '20',
  RATE_LIMIT_MESSAGING: '1000000',
  SOCKET_LIMIT_KEY: 'none',
  SOCKET_LIMIT_WORKSPACE: 'none',
  WEBHOOK_ALLOW_LOOPBACK: 'true',
  PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8,::1/128',
  LOG_LEVEL: 'warn',
};
/** Of the API `api`. */
export const CONNECTION_LIMIT = 1_000;
/** The last digits of the number at the second provider. */
const FIRST_NUMBER = 300;
/** Longer than the hold, which is the last value of `UNKNOWN_LOOKUPS_MS`. */
export const BEYOND_THE_HOLD_MS = 20_000;

export function startService(cleanUps: CleanUps): Promise<Service> {
  const servers = { folder: null, cleanUps, redis: {} };
  return openEnvironment(servers, async ({ closers, postgres, redis, ...environment }) => {
    if (redis === null) throw new Error('The environment has no Redis.');
    const http = await closers.open(async () => createHttp());
    const replica = await closers.open(() => startReplica(postgres));
    const databaseUrl = new URL(postgres.url);
    const databaseProxy = await closers.open(() => startRelay([Number(databaseUrl.port)]));
    databaseUrl.port = new URL(databaseProxy.url).port;
    // The simulator keeps its accounts and messages across restarts.
    const ledger = await closers.open(
      () => mkdtemp(join(tmpdir(), 'switchboard-alerts-ledger-')),
      (made) => rm(made, { recursive: true, force: true }),
    );
    // Each process keeps its address across restarts.
    const choosePort = async () => String(await findFreePort());
    const simulator = await environment.startSimulator({
      SIMULATOR_PORT: await choosePort(),
      DATA_DIR: ledger,
    });

    const apiPort = await choosePort();
    const common = {
      ...SETTINGS,
      ...environment.settings,
      TWILIO_API_URL: simulator.url,
      TELNYX_API_URL: simulator.url,
      PUBLIC_URL: `http://127.0.0.1:${apiPort}`,
    };
    const runApi = (name: string, env: Record<string, string>) =>
      environment.startProcess({
        name,
        kind: 'api',
        start: (settings) => startApi({ ...common, ...env, ...settings }),
      });
    const runWorker = async (name: string) => {
      const env = { ...common, METRICS_PORT: await choosePort() };
      return environment.startProcess({
        name,
        kind: 'worker',
        start: (settings) => startWorker({ ...env, ...settings }),
      });
    };
    const api = await runApi('api-1', {
      PORT: apiPort,
      CONNECTION_LIMIT: String(CONNECTION_LIMIT),
    });
    const otherPort = await choosePort();
    const otherApi = await runApi('api-2', {
      PORT: otherPort,
      PUBLIC_URL: `http://127.0.0.1:${otherPort}`,
      DATABASE_URL: databaseUrl.href,
      REPLICA_DATABASE_URL: replica.url,
    });
    const workers = [await runWorker('worker-1'), await runWorker('worker-2')] as const;
    const addWorkspace = (onUnknown: 'resend' | 'fail' = 'resend') =>
      createWorkspaceFixture(postgres.url, { onUnknown });
    const workspaces = {
      busy: await addWorkspace(),
      oneTimeCodes: await addWorkspace('fail'),
      lockedOut: await addWorkspace(),
      failover: await addWorkspace(),
      quiet: await addWorkspace(),
    };
    const carrier = createCarrier(simulator.url, http);
    await addAccounts(
      { ...workspaces.failover, onUnknown: 'resend' },
      {
        providers: ['twilio', 'telnyx'],
        carrier,
        smppLink: null,
        http,
        apiUrl: api.url,
        firstNumber: FIRST_NUMBER,
      },
    );
    const processes = { simulator, api, otherApi, workers };
    return {
      http,
      postgres,
      replica,
      redis,
      carrier,
      databaseProxy,
      workspaces,
      closers,
      ...processes,
    };
  });
}
