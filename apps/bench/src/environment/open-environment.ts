import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ChildProcess,
  type CleanUps,
  type Environment,
  type Http,
  type Opened,
  type WorkspaceFixture,
  createHttp,
  createWorkspaceFixture,
  openEnvironment,
  startApi,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import pg from 'pg';
import type { CarrierSettings } from '../programs/open-carrier.ts';
import { type Program, startProgram } from '../programs/program.ts';
import { writeStatistics } from './write-statistics.ts';

/** Settings of a process. Undefined removes one. */
type Env = Record<string, string | undefined>;

/** The servers and processes of one scenario. All run on this machine, and none are shared. */
export interface BenchEnvironment extends Opened {
  /** The folder for the environment's files. */
  folder: string;
  databaseUrl: string;
  postgresPid: number;
  redisUrl: string;
  redisPid: number;
  workspaces: readonly WorkspaceFixture[];
  /** The first of them. */
  workspace: WorkspaceFixture;
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Its requests may take any time. */
  http: Http;
  /** Sends one message through the API at `url`, now or at `scheduledAt`, and returns its id. */
  sendMessage(url: string, apiKey: string, body: string, scheduledAt?: Date): Promise<string>;
  startApi(env?: Env): Promise<ChildProcess>;
  /** Starts a worker. Callbacks for its messages go to `publicUrl`. */
  startWorker(publicUrl: string, env?: Env): Promise<ChildProcess>;
  startSimulator(): Promise<ChildProcess>;
  /** Starts the carrier of `open-carrier.ts` instead of the simulator, which would be the bottleneck. */
  startCarrier(settings?: Partial<CarrierSettings>): Promise<CarrierProcess>;
  /** Starts one of the files in `programs`. */
  startProgram(name: string, plan: object): Program;
  /** With `--profile`, writes the statements and commands of PostgreSQL and Redis since the last call. */
  writeStatistics(name: string): Promise<void>;
  /** Adds a function that `close` calls, in reverse order. */
  onClose(close: () => Promise<unknown>): void;
}

export interface CarrierProcess {
  pid: number;
  url: string;
  /** Changes settings, and returns the number of messages that the carrier has accepted. */
  configure(settings: Partial<CarrierSettings>): Promise<number>;
  stop(): Promise<void>;
}

export interface EnvironmentOptions {
  workspaces: number;
  providerUrl?: string;
  /** A folder that keeps PostgreSQL and the workspaces for the next run. Null for none. */
  keptFolder?: string | null;
}

/** The flags of the API in production, for the references. */
const API_FLAGS = ['--max-semi-space-size=64'];
/** A port that nothing serves. */
export const UNSERVED_URL = 'http://127.0.0.1:9';
const SETTINGS = {
  // The highest valid value: limits are checked, but no request is refused.
  RATE_LIMIT_MESSAGING: '1000000',
  RATE_LIMIT_UI: '1000000',
  SOCKET_LIMIT_KEY: 'none',
  SOCKET_LIMIT_WORKSPACE: 'none',
};

export async function openBenchEnvironment(
  { profileFolder, cleanUps }: { profileFolder: string | null; cleanUps: CleanUps },
  options: EnvironmentOptions,
): Promise<BenchEnvironment> {
  const keptFolder = options.keptFolder ?? null;
  const folder = keptFolder ?? (await mkdtemp(join(tmpdir(), 'switchboard-bench-')));
  await mkdir(folder, { recursive: true });
  const removeFolder = async () => {
    if (keptFolder === null) await rm(folder, { recursive: true, force: true });
  };
  cleanUps.add(removeFolder);
  const servers = {
    folder: null,
    cleanUps,
    // Durable and on the disk as in production, unlike test databases, so that commits cost as much.
    postgres: {
      dataDir: join(folder, 'postgres'),
      settings: {
        max_wal_size: '4GB',
        ...(profileFolder !== null && { shared_preload_libraries: 'pg_stat_statements' }),
      },
    },
    redis: { appendonly: true, settings: { appendfsync: 'everysec' } },
  };
  try {
    const opened = await openEnvironment(servers, (environment) =>
      buildEnvironment({ profileFolder, folder, ...options }, environment),
    );
    return { ...opened, close: () => opened.close().finally(removeFolder) };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

async function buildEnvironment(
  options: EnvironmentOptions & { profileFolder: string | null; folder: string },
  { postgres, redis, settings, closers }: Environment,
): Promise<Omit<BenchEnvironment, keyof Opened>> {
  if (redis === null) throw new Error('The environment has no Redis.');
  const { profileFolder, folder, providerUrl = UNSERVED_URL } = options;
  const workspaces = await findWorkspaces(folder, postgres.url, options.workspaces);
  const [workspace] = workspaces;
  if (workspace === undefined) throw new Error('there is no workspace');
  const pool = await closers.open(
    async () => new pg.Pool({ connectionString: postgres.url, max: 1 }),
    (opened) => opened.end(),
  );

  const http = await closers.open(async () => createHttp(null));

  const common: Env = { ...settings, ...SETTINGS, TWILIO_API_URL: providerUrl };
  const profiling = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const optionsOf = (name: string) => ({
    nodeFlags: profiling,
    logFile: join(folder, `${name}.log`),
  });
  const open = (app: () => Promise<ChildProcess>) => closers.open(app, ({ stop }) => stop());
  function onClose(close: () => Promise<unknown>): void {
    // If the environment is already closing, close this immediately.
    closers.open(async () => undefined, close).catch(close);
  }
  function start(name: string, plan: object): Program {
    const program = startProgram(name, plan, [...API_FLAGS, ...profiling]);
    onClose(() => program.stop());
    return program;
  }

  return {
    folder,
    databaseUrl: postgres.url,
    postgresPid: postgres.pid,
    redisUrl: redis.url,
    redisPid: redis.pid,
    workspaces,
    workspace,
    query: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
      (await pool.query<Row>(sql, values)).rows,
    http,
    async sendMessage(url, token, text, scheduledAt) {
      const body = { to: '+12025550123', body: text, scheduled_at: scheduledAt?.toISOString() };
      const request = { method: 'POST', token, body } as const;
      return (await http.call<{ id: string }>(`${url}/api/messages`, request)).id;
    },
    startApi: (env = {}) => open(() => startApi({ ...common, ...env }, optionsOf('api'))),
    startWorker: (publicUrl, env = {}) =>
      open(() => startWorker({ ...common, PUBLIC_URL: publicUrl, ...env }, optionsOf('worker'))),
    async startSimulator() {
      const app = await open(() => startSimulator({ DATA_DIR: folder }, optionsOf('simulator')));
      common['TWILIO_API_URL'] = app.url;
      return app;
    },
    async startCarrier(carrierSettings = {}) {
      const carrier = start('carrier', carrierSettings);
      const url = await carrier.receive<string>();
      common['TWILIO_API_URL'] = url;
      const configure = (changed: object) => {
        carrier.send(changed);
        return carrier.receive<number>();
      };
      return { pid: carrier.pid, url, configure, stop: () => carrier.stop() };
    },
    startProgram: start,
    async writeStatistics(name) {
      if (profileFolder === null) return;
      const file = join(profileFolder, `${name}.txt`);
      await writeStatistics({ databaseUrl: postgres.url, redisUrl: redis.url, file });
    },
    onClose,
  };
}

/** Returns the workspaces that an earlier run left in the folder, or creates new ones. */
async function findWorkspaces(
  folder: string,
  databaseUrl: string,
  count: number,
): Promise<readonly WorkspaceFixture[]> {
  const file = join(folder, 'workspaces.json');
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept !== null) return JSON.parse(kept) as WorkspaceFixture[];
  const workspaces: WorkspaceFixture[] = [];
  while (workspaces.length < count) workspaces.push(await createWorkspaceFixture(databaseUrl));
  await writeFile(file, JSON.stringify(workspaces));
  return workspaces;
}
