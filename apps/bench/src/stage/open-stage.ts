import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@switchboard/database';
import { findFreePort, startEmbeddedPostgres } from '@switchboard/embedded-postgres';
import { migrateQueue } from '@switchboard/queue';
import {
  TEST_SECRET_KEY,
  type WorkspaceFixture,
  createWorkspaceFixture,
  findRedisServer,
  startRedis,
} from '@switchboard/testing';
import { withoutTriggers } from '../reference/without-triggers.ts';
import type { RunOptions } from '../scenario.ts';
import { type App, startApp } from './start-app.ts';
import { writeStatistics } from './write-statistics.ts';

/** Servers and processes of one scenario, all on this machine, all its own. */
export interface Stage {
  /** Where its files are. */
  folder: string;
  databaseUrl: string;
  postgresPid: number;
  redisUrl: string;
  redisPid: number;
  workspaces: readonly WorkspaceFixture[];
  startApi(env?: Env): Promise<App>;
  /** Its callbacks go to `publicUrl`. */
  startWorker(publicUrl: string, env?: Env): Promise<App>;
  startSimulator(): Promise<App>;
  /** In the simulator's place where it would be the limit: see the carrier's own comment. */
  startCheapCarrier(): Promise<App>;
  /** One of the reference processes of this folder. */
  startReference(name: string, env: Env): Promise<App>;
  /** With a profile: writes what PostgreSQL and Redis were asked since the last time. */
  writeStatistics(name: string): Promise<void>;
  /** Adds to what `close` closes, last first. */
  onClose(close: () => Promise<void>): void;
  close(): Promise<void>;
}

/** Undefined takes a setting away. */
type Env = Record<string, string | undefined>;

const APPS = join(import.meta.dirname, '../../..');
/** As our units and our image start it; the references have it too. */
const API_FLAGS = ['--max-semi-space-size=64'];
/** The highest that the setting takes: the limits are paid for, and nothing is refused. */
const RATE_LIMIT = '1000000';

export interface StageOptions extends RunOptions {
  workspaces: number;
  twilioApiUrl?: string;
  /** Keeps PostgreSQL and the workspaces from one run to the next; null: nothing is kept. */
  keptFolder?: string | null;
}

export async function openStage(options: StageOptions): Promise<Stage> {
  const closing: Closing = { closers: [], starting: new Set() };
  const opening = open(options, closing);
  options.cleanUps.add(async () => {
    await opening.catch(() => undefined); // it has closed what it had opened
    await closeAll(closing);
  });
  return opening;
}

interface Closing {
  /** In the order of what they close. */
  closers: (() => Promise<void>)[];
  /** What will add its closer once it is there. */
  starting: Set<Promise<unknown>>;
}

async function closeAll({ closers, starting }: Closing): Promise<void> {
  await Promise.allSettled(starting);
  for (const closer of closers.splice(0).toReversed()) await closer();
}

async function open(options: StageOptions, closing: Closing): Promise<Stage> {
  const { closers, starting } = closing;
  const close = () => closeAll(closing);

  try {
    const keptFolder = options.keptFolder ?? null;
    const folder = await makeFolder(keptFolder);
    if (keptFolder === null) closers.push(() => rm(folder, { recursive: true, force: true }));
    options.onProgress('starting PostgreSQL and Redis');
    // With an operator's settings and on the disk, unlike the databases of tests: commits are paid for.
    const postgres = await startEmbeddedPostgres({
      dataDir: join(folder, 'postgres'),
      settings: {
        max_wal_size: '4GB',
        ...(options.profileFolder !== null && { shared_preload_libraries: 'pg_stat_statements' }),
      },
    });
    closers.push(() => postgres.stop());
    const log = { info: () => undefined };
    await migrate({ databaseUrl: postgres.url, after: [migrateQueue], log });
    const redis = await startRedis({
      program: await findRedisServer(),
      appendonly: true,
      settings: { appendfsync: 'everysec' },
    });
    closers.push(() => redis.close());
    const workspaces = await findWorkspaces(folder, postgres.url, options.workspaces);

    let twilioApiUrl = options.twilioApiUrl ?? 'http://127.0.0.1:9';
    const common = {
      PATH: '',
      HOST: '127.0.0.1',
      SECRET_KEY: TEST_SECRET_KEY,
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      RATE_LIMIT_MESSAGING: RATE_LIMIT,
      RATE_LIMIT_UI: RATE_LIMIT,
      SOCKET_LIMIT_KEY: 'none',
      SOCKET_LIMIT_WORKSPACE: 'none',
    };

    async function start(
      name: string,
      file: string,
      env: Env,
      nodeFlags: readonly string[] = [],
    ): Promise<App> {
      const { profileFolder } = options;
      const launched = startApp({ name, file, env, nodeFlags, folder, profileFolder });
      starting.add(launched);
      const app = await launched;
      let stopped: Promise<void> | null = null;
      const stop = () => (stopped ??= app.stop());
      closers.push(stop);
      starting.delete(launched);
      return { ...app, stop };
    }
    const mainOf = (app: string) => join(APPS, app, 'dist/main.js');

    return {
      folder,
      databaseUrl: postgres.url,
      postgresPid: postgres.pid,
      redisUrl: redis.url,
      redisPid: redis.pid,
      workspaces,
      async startApi(env = {}) {
        const port = String(await findFreePort());
        const own = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` };
        const settings = { ...common, ...own, TWILIO_API_URL: twilioApiUrl, ...env };
        return start('api', mainOf('api'), settings, API_FLAGS);
      },
      startWorker: (publicUrl, env = {}) =>
        start('worker', mainOf('worker'), {
          ...common,
          PUBLIC_URL: publicUrl,
          TWILIO_API_URL: twilioApiUrl,
          ...env,
        }),
      async startSimulator() {
        const app = await start('simulator', mainOf('simulator'), {
          PATH: '',
          SIMULATOR_PORT: '0',
          DATA_DIR: folder,
        });
        twilioApiUrl = app.url;
        return app;
      },
      async startCheapCarrier() {
        const file = join(import.meta.dirname, '../carrier/carrier-process.js');
        const app = await start('carrier', file, {});
        twilioApiUrl = app.url;
        return app;
      },
      startReference: (name, env) =>
        start(
          name,
          join(import.meta.dirname, `../reference/${name}.js`),
          { ...common, DATABASE_URL: withoutTriggers(postgres.url), ...env },
          API_FLAGS,
        ),
      async writeStatistics(name) {
        if (options.profileFolder === null) return;
        const file = join(options.profileFolder, `${name}.txt`);
        await writeStatistics({ databaseUrl: postgres.url, redisUrl: redis.url, file });
      },
      onClose: (closer) => closers.push(closer),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function makeFolder(kept: string | null): Promise<string> {
  if (kept === null) return mkdtemp(join(tmpdir(), 'switchboard-bench-'));
  await mkdir(kept, { recursive: true });
  return kept;
}

/** Those that an earlier run has left in the folder, or new ones. */
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
