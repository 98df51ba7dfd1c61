import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type PostgresBinaries, startEmbeddedPostgres } from '@switchboard/embedded-postgres';
import { backUpCluster } from './back-up-cluster.ts';
import { migrateTemplate } from './migrate-template.ts';
import { createTemporaryCluster } from './temporary-clusters.ts';
import { pausePostgres } from './pause-postgres.ts';

export interface PostgresServer {
  /** Stays the same through stops and starts. */
  url: string;
  /** Where it keeps everything. */
  dataDir: string;
  /** Of the process that runs now. */
  readonly pid: number;
  /** Ends every connection and shuts down in order. */
  stop(): Promise<void>;
  /** Ends it as a crash does: the next start recovers from the log. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** The server hangs: connections stay open, new ones are taken too, and nothing answers. */
  pause(): Promise<void>;
  resume(): void;
  /** Takes a backup of all that is committed, while the server works; one is kept at a time. */
  backUp(): Promise<void>;
  /** Ends every connection and starts again from the backup: what came after it is lost. */
  restore(): Promise<void>;
  /** Stops it for good, and removes what it kept. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  settings?: Record<string, string>;
  logFile?: string;
  /** Instead of the release that npm installed. */
  binaries?: PostgresBinaries;
  /** A folder of the caller's, which stays, instead of a temporary one. */
  dataDir?: string;
  /** Instead of the migrations of this version. */
  migrate?(url: string): Promise<void>;
}

/** A migrated PostgreSQL of the caller's own, to be stopped and crashed at will. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { dataDir, remove } =
    options.dataDir === undefined
      ? await createTemporaryCluster()
      : { dataDir: options.dataDir, remove: async () => undefined };
  let postgres = await startEmbeddedPostgres({ ...options, dataDir });
  const { port, url } = postgres;
  let paused: { resume(): void } | undefined;
  let starting: Promise<void> = Promise.resolve();
  let isClosed = false;
  const backup = `${dataDir}-backup`;

  async function close(): Promise<void> {
    isClosed = true;
    await starting.catch(() => undefined); // The caller of the start receives it.
    await postgres.stop();
    await remove();
  }

  async function start(): Promise<void> {
    if (isClosed) throw new Error('This PostgreSQL is closed for good.');
    postgres = await startEmbeddedPostgres({ ...options, dataDir, port });
  }

  try {
    await (options.migrate ?? migrateTemplate)(url);
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
      paused = await pausePostgres(url);
    },
    resume() {
      paused?.resume();
      paused = undefined;
    },
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
