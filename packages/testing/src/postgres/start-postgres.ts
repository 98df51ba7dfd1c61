import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type PostgresBinaries, startEmbeddedPostgres } from '@switchboard/embedded-postgres';
import { backUpCluster } from './back-up-cluster.ts';
import { copyClusterTemplate } from './cluster-template.ts';
import { migrateTemplate } from './migrate-template.ts';
import { TEMPORARY_SETTINGS, createTemporaryCluster } from './temporary-clusters.ts';
import { pausePostgres } from './pause-postgres.ts';

export interface PostgresServer {
  /** Unchanged by stops and starts. */
  url: string;
  /** The data folder. */
  dataDir: string;
  /** The PID of the running server. */
  readonly pid: number;
  /** Closes every connection and shuts down gracefully. */
  stop(): Promise<void>;
  /** Kills the server, as in a crash: the next start recovers from the WAL. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /**
   * Makes the server hang: connections stay open and new ones are accepted, but nothing answers.
   */
  pause(): Promise<void>;
  resume(): void;
  /**
   * Takes a backup of all committed data while the server runs. Only the latest backup is kept.
   */
  backUp(): Promise<void>;
  /** Closes every connection and restarts from the backup; later changes are lost. */
  restore(): Promise<void>;
  /** Stops the server permanently and deletes its data. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  settings?: Record<string, string>;
  logFile?: string;
  /** Programs of a release other than the one installed by npm. */
  binaries?: PostgresBinaries;
  /** A folder that is kept, instead of a temporary one. */
  dataDir?: string;
  /** Replaces the migrations of this version. */
  migrate?(url: string): Promise<void>;
}

/** Starts a migrated PostgreSQL for one caller, which may stop and crash it. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { dataDir, remove } =
    options.dataDir === undefined
      ? await createTemporaryCluster()
      : { dataDir: options.dataDir, remove: async () => undefined };
  const { dataDir: ownFolder, binaries, migrate } = options;
  const isCopy =
    (ownFolder ?? binaries ?? migrate) === undefined && (await copyClusterTemplate(dataDir));
  const settings = { ...TEMPORARY_SETTINGS, ...options.settings };
  let postgres = await startEmbeddedPostgres({ ...options, settings, dataDir });
  const { port, url } = postgres;
  let paused: { resume(): void } | undefined;
  let starting: Promise<void> = Promise.resolve();
  let isClosed = false;
  const backup = `${dataDir}-backup`;

  function resume(): void {
    paused?.resume();
    paused = undefined;
  }

  async function close(): Promise<void> {
    isClosed = true;
    resume(); // A test that failed while the server hung.
    await starting.catch(() => undefined); // The caller of `start` handles the error.
    await postgres.stop();
    await remove();
  }

  async function start(): Promise<void> {
    if (isClosed) throw new Error('This PostgreSQL server is closed.');
    postgres = await startEmbeddedPostgres({ ...options, settings, dataDir, port });
  }

  try {
    if (!isCopy) await (migrate ?? migrateTemplate)(url);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    dataDir,
    get pid() {
      return postgres.pid;
    },
    stop: () => postgres.stop(),
    async kill() {
      process.kill(postgres.pid, 'SIGKILL');
      await postgres.exited;
    },
    start: () => (starting = start()),
    async pause() {
      paused = await pausePostgres(postgres.pid);
    },
    resume,
    async backUp() {
      await rm(backup, { recursive: true, force: true });
      await mkdir(backup, { mode: 0o700 });
      await backUpCluster({ url, dataDir }, backup);
    },
    async restore() {
      await postgres.stop();
      const cluster = join(dataDir, 'cluster');
      await rm(cluster, { recursive: true });
      await rename(join(backup, 'cluster'), cluster);
      await (starting = start());
    },
    close,
  };
}
