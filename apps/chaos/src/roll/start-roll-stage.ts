import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '@switchboard/embedded-postgres';
import {
  type ChildProcess,
  type CleanUps,
  type PostgresServer,
  type WorkspaceFixture,
  createClosers,
  findPgBouncer,
  findRedisServer,
  startPgBouncer,
  startPostgres,
  startRedis,
} from '@switchboard/testing';
import { type Carrier, createCarrier } from '../carrier.ts';
import { createHttp, type Http } from '../http.ts';
import { openSimulator } from '../stage/open-simulator.ts';
import { createProcessSlot } from '../stage/process-slot.ts';
import type { Release } from './release.ts';
import { type Replicas, createReplicas } from './replicas.ts';
import { type Proxy, startProxy } from './start-proxy.ts';

/** The service as an operator runs it: behind a proxy, before PgBouncer, processes come and go. */
export interface RollStage {
  postgres: PostgresServer;
  carrier: Carrier;
  proxy: Proxy;
  workspaces: readonly WorkspaceFixture[];
  apis: Replicas;
  workers: Replicas;
  /** Processes that are started later are of this release. */
  startFromNow(release: Release): void;
  stopService(): Promise<void>;
  close(): Promise<void>;
}

const WORKSPACES = 3;
const MOST_APIS = 4;
/** PgBouncer's, for all processes together: that is what it is there for. */
const SERVER_CONNECTIONS = 20;
const HEALTH_TIMEOUT_MS = 5_000;
const READY_LIMIT_MS = 30_000;
const LOOK_EVERY_MS = 100;
/** For the proxy to see that an API is ready: its checks are a second apart. */
const SEEN_BY_PROXY_MS = 2_500;

/** Production's defaults, save limits, which are not what is looked at. */
const SETTINGS: Record<string, string> = {
  RATE_LIMIT_MESSAGING: '1000000',
  RATE_LIMIT_UI: '1000000',
  TRUST_PROXY: '1',
  POLL_MS: '10000,20000,40000,80000,160000',
  LOG_LEVEL: 'warn',
};

export async function startRollStage(options: {
  apis: number;
  workers: number;
  drainMs: number;
  /** What runs at first. */
  release: Release;
  /** For the logs. */
  folder: string;
  cleanUps?: CleanUps;
}): Promise<RollStage> {
  const { folder } = options;
  const closers = createClosers();
  const replicas: Replicas[] = [];
  let serviceStopped: Promise<void> | null = null;

  function stopService(): Promise<void> {
    const slots = replicas.flatMap(({ all }) => all);
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
    const apiPorts = await Promise.all(Array.from({ length: MOST_APIS }, () => findFreePort()));
    const proxy = await closers.open(() => startProxy({ apiPorts, folder }));
    const postgres = await closers.open(() =>
      startPostgres({
        logFile: join(folder, 'postgres.log'),
        migrate: (url) => options.release.migrate(url),
      }),
    );
    const pgBouncer = options.release.knowsPgBouncer
      ? await closers.open(async () =>
          startPgBouncer({
            databaseUrl: postgres.url,
            poolSize: SERVER_CONNECTIONS,
            program: await findPgBouncer(),
          }),
        )
      : null;
    const redis = await closers.open(async () => startRedis({ program: await findRedisServer() }));
    const trusting = { NODE_EXTRA_CA_CERTS: proxy.authorityFile };
    const simulator = await openSimulator(closers, folder, trusting);
    const workspaces = await Promise.all(
      Array.from({ length: WORKSPACES }, () => options.release.createWorkspace(postgres.url)),
    );
    const settings = {
      ...SETTINGS,
      DRAIN_MS: String(options.drainMs),
      DATABASE_URL: pgBouncer?.url ?? postgres.url,
      ...(pgBouncer !== null && { DIRECT_DATABASE_URL: postgres.url }),
      REDIS_URL: redis.url,
      TWILIO_API_URL: simulator.url,
      PUBLIC_URL: proxy.url,
    };

    let release = options.release;
    const apis = createReplicas((number) => {
      const port = apiPorts[number - 1] ?? 0;
      const env = { ...settings, PORT: String(port) };
      return createProcessSlot({
        name: `api-${number}`,
        kind: 'api',
        folder,
        async start() {
          const { drains } = release;
          const api = await whenReady(release.startApi(env), http);
          await pause(SEEN_BY_PROXY_MS);
          if (drains) return api;
          // By hand, what this release does not do itself.
          return {
            ...api,
            async stop() {
              await proxy.setState(port, 'drain');
              await pause(options.drainMs);
              await api.stop();
              await proxy.setState(port, 'ready');
            },
          };
        },
      });
    });
    const workers = createReplicas((number) =>
      createProcessSlot({
        name: `worker-${number}`,
        kind: 'worker',
        folder,
        start: () => whenReady(release.startWorker({ ...settings, METRICS_PORT: '0' }), http),
      }),
    );
    replicas.push(apis, workers);
    await Promise.all([apis.scaleTo(options.apis), workers.scaleTo(options.workers)]);
    return {
      postgres,
      carrier: createCarrier(simulator.url, http),
      proxy,
      workspaces,
      apis,
      workers,
      startFromNow(next) {
        release = next;
      },
      stopService,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A process is ready when its own health check says so. */
async function whenReady(starting: Promise<ChildProcess>, http: Http): Promise<ChildProcess> {
  const child = await starting;
  const deadline = performance.now() + READY_LIMIT_MS;
  for (;;) {
    const answer = await http
      .ask(`${child.url}/health/ready`, { timeoutMs: HEALTH_TIMEOUT_MS })
      .catch(() => null);
    if (answer?.status === 200) return child;
    if (performance.now() > deadline) {
      await child.kill();
      throw new Error(`${child.name} is not ready: ${answer?.text ?? 'no answer'}`);
    }
    await pause(LOOK_EVERY_MS);
  }
}
