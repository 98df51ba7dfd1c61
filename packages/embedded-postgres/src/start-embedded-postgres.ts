import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type PostgresBinaries, findBinaries } from './binaries.ts';
import { chooseLauncher, type Launcher } from './choose-launcher.ts';
import { findFreePort, isPortFree } from './free-port.ts';
import { initCluster, USER } from './init-cluster.ts';
import { lockFolder } from './lock-folder.ts';
import { portTaken, type PostgresProcess, runPostgres, StartError } from './run-postgres.ts';
import { stopSurvivor } from './stop-survivor.ts';

export interface EmbeddedPostgresOptions {
  /** The folder of PostgreSQL's data. If the folder is missing, it is created with mode 700. */
  dataDir: string;
  /** The default is the port of the last start, or another port if that one is in use. */
  port?: number;
  /** PostgreSQL settings that override the defaults. */
  settings?: Record<string, string>;
  /** The default is `postgres.log` in the data folder. The log of the last start is kept as `….1`. */
  logFile?: string;
  /** A different release than the one that npm installed. */
  binaries?: PostgresBinaries;
  /** The start includes the recovery after a crash, which replays the write-ahead log. */
  startTimeoutMs?: number;
}

export interface EmbeddedPostgres {
  /** The connection string of the `postgres` database. Its user may create databases. */
  url: string;
  port: number;
  pid: number;
  /** Resolves with a description when PostgreSQL has ended for any reason. */
  exited: Promise<string>;
  /** Closes all connections and stops PostgreSQL with a checkpoint. May be called repeatedly. */
  stop(): Promise<void>;
}

/**
 * Starts an embedded PostgreSQL and resolves when it accepts connections. Throws if another running
 * process owns the folder. A PostgreSQL that survived its owner is stopped first. The message of each
 * error is a sentence for the user.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const binaries = options.binaries ?? (await findBinaries());
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataDir);
  try {
    await stopSurvivor(dataDir);
    const launch = chooseLauncher(dataDir);
    const password = await initCluster(dataDir, binaries, launch);
    const running = await startOnFreePort(binaries.postgres, launch, { ...options, dataDir });
    const exited = running.exited.finally(() => lock.release());
    return {
      url: `postgres://${USER}:${password}@127.0.0.1:${running.port}/postgres`,
      port: running.port,
      pid: running.pid,
      exited,
      async stop() {
        await running.stop();
        await exited;
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startOnFreePort(
  program: string,
  launch: Launcher,
  options: EmbeddedPostgresOptions,
): Promise<PostgresProcess> {
  const portFile = join(options.dataDir, 'port');
  const last = Number(await readFile(portFile, 'utf8').catch(() => '0'));
  const deadline = performance.now() + 10_000;
  for (let attempt = 0; ; attempt += 1) {
    const fixed = options.port;
    if (fixed !== undefined && !(await isPortFree(fixed))) throw portTaken(fixed);
    const keep = attempt === 0 && last > 0 && (await isPortFree(last));
    const port = fixed ?? (keep ? last : await findFreePort());
    try {
      await writeFile(portFile, String(port));
      return await runPostgres({ ...options, program, launch, port });
    } catch (error) {
      const reason = error instanceof StartError ? error.reason : 'other';
      // The backends of a killed PostgreSQL end within moments.
      if (reason === 'still_in_use' && performance.now() < deadline) await delay(200);
      else if (reason !== 'port_taken' || fixed !== undefined || attempt > 3) throw error;
    }
  }
}
