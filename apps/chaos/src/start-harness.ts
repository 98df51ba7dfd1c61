import { findFreePort } from '@switchboard/embedded-postgres';
import {
  addAccounts,
  type Carrier,
  type CleanUps,
  createCarrier,
  createHttp,
  createWorkspaceFixture,
  type Environment,
  findFaketime,
  type Http,
  type Opened,
  openEnvironment,
  type PatroniCluster,
  type PostgresServer,
  type ProcessSlot,
  type ProviderName,
  type RedisGroupKind,
  type Relay,
  startApi,
  startPatroni,
  startRelay,
  startWorker,
  type WorkspaceFixture,
} from '@switchboard/testing';
import { SERVICE_SETTINGS } from './timings.ts';

export type Backend = 'redis' | 'postgres';

export interface ChaosWorkspace extends WorkspaceFixture {
  /** The number whose inbound messages the carrier delivers to the service. */
  inbound: string;
  /** A number whose messages arrive over SMPP; null without an SMPP account. */
  smppNumber: string | null;
  /** The workspace's setting for unknown outcomes. */
  onUnknown: 'resend' | 'fail';
  /** The names of its provider accounts in the ledger. */
  accounts: readonly string[];
}

type Servers = Pick<Environment, 'pgBouncer' | 'redis' | 'redisGroup'>;

/** The whole service on this machine, with all servers and processes that faults target. */
export interface Harness extends Servers, Opened {
  /** Null if a Patroni cluster replaces it. */
  postgres: PostgresServer | null;
  patroni: PatroniCluster | null;
  /** Returns the URL of the current primary. */
  databaseUrl(): Promise<string>;
  carrier: Carrier;
  /** The relays between the service and the APIs of the carrier's providers. */
  links: Readonly<Record<ProviderName, Relay>>;
  /**
   * The relay in front of the APIs. `PUBLIC_URL`, and so signatures and callbacks, use its address.
   */
  balancer: Relay;
  apis: readonly ProcessSlot[];
  workers: readonly ProcessSlot[];
  apiUrls: readonly string[];
  workspaces: readonly ChaosWorkspace[];
  http: Http;
}

export interface HarnessOptions {
  backend: Backend;
  /** The provider accounts of each workspace. */
  providers: readonly ProviderName[];
  /** Folder for the logs. */
  folder: string;
  cleanUps?: CleanUps;
  settings?: Record<string, string>;
  /** Chooses the clock offset of a process at each of its starts. */
  drawClockOffsetMs?(): number;
  /** Whether the service connects through PgBouncer in transaction mode. */
  pgBouncer?: boolean;
  /** Whether to use three PostgreSQL servers under Patroni instead of one. */
  patroni?: boolean;
  /** Several Redis servers instead of one. */
  redisGroup?: RedisGroupKind;
}

type Built = Omit<Harness, keyof Opened>;

const PROCESSES_PER_KIND = 2;
const MAX_NUMBERS = 5;
const ON_UNKNOWN = ['resend', 'resend', 'fail'] as const;

export function startHarness(options: HarnessOptions): Promise<Harness> {
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
    const openLink = () => closers.open(() => startRelay([Number(new URL(simulator.url).port)]));
    const links = {
      twilio: await openLink(),
      telnyx: await openLink(),
      vonage: await openLink(),
      // Its port is known once an account is created.
      smpp: await closers.open(() => startRelay()),
    };
    const clock = await createClock(options.drawClockOffsetMs ?? (() => 0));

    const workspaces = await Promise.all(
      ON_UNKNOWN.map(async (onUnknown) => ({
        ...(await createWorkspaceFixture(database.url, { onUnknown })),
        onUnknown,
        inbound: '',
        smppNumber: null as string | null,
        accounts: [] as string[],
      })),
    );
    const ports = await Promise.all(Array.from({ length: PROCESSES_PER_KIND }, findFreePort));
    const balancer = await closers.open(() => startRelay(ports));
    const settings = {
      ...SERVICE_SETTINGS,
      ...environment.settings,
      TWILIO_API_URL: links.twilio.url,
      TELNYX_API_URL: links.telnyx.url,
      VONAGE_API_URL: links.vonage.url,
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
      const first = 100 + index * MAX_NUMBERS;
      workspace.inbound = await addNumber(http, apiUrls[0] ?? '', workspace.apiKey, first);
    }
    const carrier = createCarrier(simulator.url, http);
    for (const [index, workspace] of workspaces.entries()) {
      const { names, smppNumber } = await addAccounts(workspace, {
        providers: options.providers,
        carrier,
        smppLink: links.smpp,
        firstNumber: 200 + 10 * index,
        http,
        apiUrl: apiUrls[0] ?? '',
      });
      workspace.accounts = [workspace.accountSid, ...names];
      workspace.smppNumber = smppNumber;
    }
    const targets = { ...describeDatabase(database), pgBouncer, redis, redisGroup };
    return { ...targets, carrier, links, balancer, apis, workers, apiUrls, workspaces, http };
  });
}

function describeDatabase(
  database: PostgresServer | PatroniCluster,
): Pick<Harness, 'postgres' | 'patroni' | 'databaseUrl'> {
  return 'failOver' in database
    ? { postgres: null, patroni: database, databaseUrl: () => database.primaryUrl() }
    : { postgres: database, patroni: null, databaseUrl: async () => database.url };
}

/** Creates the environment variables that shift the clock of each process that starts. */
async function createClock(drawOffsetMs: () => number): Promise<() => Record<string, string>> {
  const library = await findFaketime();
  return () => {
    const offsetMs = drawOffsetMs();
    if (offsetMs === 0) return {};
    // Leases and timeouts use the monotonic clock, which an operator cannot set.
    const seconds = `${offsetMs > 0 ? '+' : ''}${offsetMs / 1_000}`;
    return { LD_PRELOAD: library, FAKETIME: seconds, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
  };
}

/**
 * Adds a number through the API, so that the service configures the carrier to deliver its inbound
 * messages. On a busy machine, the configuration may time out; another number is tried then.
 */
async function addNumber(http: Http, apiUrl: string, apiKey: string, first: number) {
  for (let last = first; last < first + MAX_NUMBERS; last += 1) {
    const number = `+14155550${last}`;
    const request = { method: 'POST', token: apiKey, body: { number } } as const;
    const { text } = await http.send(`${apiUrl}/api/numbers`, request);
    const { inbound_wired: isWired } = JSON.parse(text) as { inbound_wired?: boolean };
    if (isWired === true) return number;
  }
  throw new Error('The service failed to configure a number for inbound messages.');
}
