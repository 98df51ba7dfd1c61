import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ChildProcess,
  type Environment,
  TEST_SECRET_KEY,
  type WorkspaceFixture,
  createWorkspaceFixture,
  openEnvironment,
  startApi,
  startChild,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import { withoutTriggers } from '../reference/without-triggers.ts';
import type { RunOptions } from '../scenario.ts';
import { writeStatistics } from './write-statistics.ts';

/** The servers and processes of one scenario. All run on this machine, and none are shared. */
export interface BenchEnvironment {
  /** The folder for the environment's files. */
  folder: string;
  databaseUrl: string;
  postgresPid: number;
  redisUrl: string;
  redisPid: number;
  workspaces: readonly WorkspaceFixture[];
  startApi(env?: Env): Promise<ChildProcess>;
  /** Starts a worker. Callbacks for its messages go to `publicUrl`. */
  startWorker(publicUrl: string, env?: Env): Promise<ChildProcess>;
  startSimulator(): Promise<ChildProcess>;
  /** Starts the carrier of `carrier-process.ts` instead of the simulator, which would be the bottleneck. */
  startCheapCarrier(): Promise<ChildProcess>;
  /** Starts one of the processes in `reference`. */
  startReference(name: string, env: Env): Promise<ChildProcess>;
  /**
   * With `--profile`, writes the statements of PostgreSQL and the commands of Redis since the last
   * call.
   */
  writeStatistics(name: string): Promise<void>;
  /** Adds a function that `close` calls, in reverse order. */
  onClose(close: () => Promise<void>): void;
  close(): Promise<void>;
}

/** Undefined removes a setting. */
type Env = Record<string, string | undefined>;

/** The flags of the systemd units and the image. The references use them too. */
const API_FLAGS = ['--max-semi-space-size=64'];
/** The highest valid value: limits are checked, but no request is refused. */
const RATE_LIMIT = '1000000';

export interface BenchEnvironmentOptions extends RunOptions {
  workspaces: number;
  twilioApiUrl?: string;
  /** A folder that keeps PostgreSQL and the workspaces for the next run. Null for none. */
  keptFolder?: string | null;
}

export async function openBenchEnvironment(
  options: BenchEnvironmentOptions,
): Promise<BenchEnvironment> {
  const keptFolder = options.keptFolder ?? null;
  const folder = await makeFolder(keptFolder);
  const removeFolder = async () => {
    if (keptFolder === null) await rm(folder, { recursive: true, force: true });
  };
  options.cleanUps.add(removeFolder);
  options.onProgress('starting PostgreSQL and Redis');
  try {
    const servers = {
      folder: null,
      cleanUps: options.cleanUps,
      // Durable and on the disk as in production, unlike test databases, so that commits cost as much.
      postgres: {
        dataDir: join(folder, 'postgres'),
        settings: {
          max_wal_size: '4GB',
          ...(options.profileFolder !== null && { shared_preload_libraries: 'pg_stat_statements' }),
        },
      },
      redis: { appendonly: true, settings: { appendfsync: 'everysec' } },
    };
    const opened = await openEnvironment(servers, (environment) =>
      buildEnvironment(options, folder, environment),
    );
    return { ...opened, close: () => opened.close().finally(removeFolder) };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

async function buildEnvironment(
  options: BenchEnvironmentOptions,
  folder: string,
  { postgres, redis, settings, closers }: Environment,
): Promise<Omit<BenchEnvironment, 'close'>> {
  if (redis === null) throw new Error('The environment has no Redis.');
  const { profileFolder } = options;
  const workspaces = await findWorkspaces(folder, postgres.url, options.workspaces);

  let twilioApiUrl = options.twilioApiUrl ?? 'http://127.0.0.1:9';
  const profiling = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const optionsOf = (name: string, nodeFlags: readonly string[] = []) => ({
    nodeFlags: [...nodeFlags, ...profiling],
    logFile: join(folder, `${name}.log`),
  });
  const open = (start: () => Promise<ChildProcess>) => closers.open(start, (app) => app.stop());
  /** Starts a process of this app. */
  const openOwn = (name: string, file: string, env: Env, flags: readonly string[] = []) => {
    const { nodeFlags, logFile } = optionsOf(name, flags);
    const args = [...nodeFlags, join(import.meta.dirname, '..', file)];
    return open(() => startChild({ name, command: process.execPath, args, env, logFile }));
  };
  const common = {
    ...settings,
    SECRET_KEY: TEST_SECRET_KEY,
    RATE_LIMIT_MESSAGING: RATE_LIMIT,
    RATE_LIMIT_UI: RATE_LIMIT,
    SOCKET_LIMIT_KEY: 'none',
    SOCKET_LIMIT_WORKSPACE: 'none',
  };

  return {
    folder,
    databaseUrl: postgres.url,
    postgresPid: postgres.pid,
    redisUrl: redis.url,
    redisPid: redis.pid,
    workspaces,
    startApi: (env = {}) =>
      open(() =>
        startApi({ ...common, TWILIO_API_URL: twilioApiUrl, ...env }, optionsOf('api', API_FLAGS)),
      ),
    startWorker: (publicUrl, env = {}) =>
      open(() =>
        startWorker(
          { ...common, PUBLIC_URL: publicUrl, TWILIO_API_URL: twilioApiUrl, ...env },
          optionsOf('worker'),
        ),
      ),
    async startSimulator() {
      const app = await open(() => startSimulator({ DATA_DIR: folder }, optionsOf('simulator')));
      twilioApiUrl = app.url;
      return app;
    },
    async startCheapCarrier() {
      const app = await openOwn('carrier', 'carrier/carrier-process.js', {});
      twilioApiUrl = app.url;
      return app;
    },
    startReference: (name, env) =>
      openOwn(
        name,
        `reference/${name}.js`,
        { ...common, HOST: '127.0.0.1', DATABASE_URL: withoutTriggers(postgres.url), ...env },
        API_FLAGS,
      ),
    async writeStatistics(name) {
      if (profileFolder === null) return;
      const file = join(profileFolder, `${name}.txt`);
      await writeStatistics({ databaseUrl: postgres.url, redisUrl: redis.url, file });
    },
    onClose(close) {
      // If the environment is already closing, close this immediately.
      closers.open(async () => undefined, close).catch(close);
    },
  };
}

async function makeFolder(kept: string | null): Promise<string> {
  if (kept === null) return mkdtemp(join(tmpdir(), 'switchboard-bench-'));
  await mkdir(kept, { recursive: true });
  return kept;
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
