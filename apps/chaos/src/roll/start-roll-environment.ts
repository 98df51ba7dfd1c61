import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@switchboard/embedded-postgres';
import {
  type Carrier,
  type ChildProcess,
  type CleanUps,
  createCarrier,
  createHttp,
  createWorkspaceFixture,
  type Http,
  type Opened,
  openEnvironment,
  type PostgresServer,
  type WorkspaceFixture,
} from '@switchboard/testing';
import type { Release } from './release.ts';
import { type Replicas, createReplicas } from './replicas.ts';
import { type Proxy, startProxy } from './start-proxy.ts';

/** A service as in production: behind a proxy and connected through PgBouncer. */
export interface RollEnvironment extends Opened {
  postgres: PostgresServer;
  carrier: Carrier;
  proxy: Proxy;
  workspaces: readonly WorkspaceFixture[];
  apis: Replicas;
  workers: Replicas;
  /** Sets the release of all processes that are started later. */
  startFromNow(release: Release): void;
}

const WORKSPACES = 3;
const MAX_APIS = 4;
/** PgBouncer's connections to PostgreSQL, which all processes share. */
const SERVER_CONNECTIONS = 20;
const HEALTH_TIMEOUT_MS = 5_000;
const READY_LIMIT_MS = 30_000;
const POLL_MS = 100;
/** The time until the proxy detects that an API is ready. The proxy checks once a second. */
const PROXY_CHECK_MS = 2_500;

/** The production defaults, except for rate limits, which are not tested here. */
const SETTINGS: Record<string, string> = {
  RATE_LIMIT_MESSAGING: '1000000',
  RATE_LIMIT_UI: '1000000',
  TRUST_PROXY: '1',
  POLL_MS: '10000,20000,40000,80000,160000',
  LOG_LEVEL: 'warn',
};

export function startRollEnvironment(options: {
  apis: number;
  workers: number;
  drainMs: number;
  /** The release that runs first. */
  release: Release;
  /** The folder for the logs. */
  folder: string;
  cleanUps?: CleanUps;
}): Promise<RollEnvironment> {
  const { folder, cleanUps } = options;
  let { release } = options;
  const servers = {
    folder,
    cleanUps,
    postgres: { migrate: (url: string) => options.release.migrate(url) },
    pgBouncer: { poolSize: SERVER_CONNECTIONS },
    redis: {},
  };
  return openEnvironment(servers, async (environment) => {
    const { closers, postgres } = environment;
    const http = await closers.open(async () => createHttp());
    const apiPorts = await Promise.all(Array.from({ length: MAX_APIS }, () => findFreePort()));
    const proxy = await closers.open(() => startProxy({ apiPorts, folder }));
    const trusting = { NODE_EXTRA_CA_CERTS: proxy.authorityFile };
    const simulator = await environment.startSimulator(trusting);
    const workspaces = await Promise.all(
      Array.from({ length: WORKSPACES }, () => createWorkspaceFixture(postgres.url)),
    );
    const settings = {
      ...SETTINGS,
      ...environment.settings,
      DRAIN_MS: String(options.drainMs),
      DIRECT_DATABASE_URL: postgres.url,
      TWILIO_API_URL: simulator.url,
      PUBLIC_URL: proxy.url,
    };

    const apis = createReplicas((number) => {
      const port = apiPorts[number - 1] ?? 0;
      const env = { ...settings, PORT: String(port) };
      return environment.startProcess({
        name: `api-${number}`,
        kind: 'api',
        async start() {
          const api = await whenReady(release.startApi(env), http);
          await delay(PROXY_CHECK_MS);
          return api;
        },
      });
    });
    const workers = createReplicas((number) =>
      environment.startProcess({
        name: `worker-${number}`,
        kind: 'worker',
        start: () => whenReady(release.startWorker({ ...settings, METRICS_PORT: '0' }), http),
      }),
    );
    await Promise.all([apis.scaleTo(options.apis), workers.scaleTo(options.workers)]);
    return {
      postgres,
      carrier: createCarrier(simulator.url, http),
      proxy,
      workspaces,
      apis,
      workers,
      startFromNow(next: Release) {
        release = next;
      },
    };
  });
}

/** Waits until the readiness check of a process succeeds. */
async function whenReady(starting: Promise<ChildProcess>, http: Http): Promise<ChildProcess> {
  const child = await starting;
  const deadline = performance.now() + READY_LIMIT_MS;
  for (;;) {
    const response = await http
      .send(`${child.url}/health/ready`, { timeoutMs: HEALTH_TIMEOUT_MS })
      .catch(() => null);
    if (response?.status === 200) return child;
    if (performance.now() > deadline) {
      await child.kill();
      throw new Error(`${child.name} is not ready: ${response?.text ?? 'no response'}`);
    }
    await delay(POLL_MS);
  }
}
