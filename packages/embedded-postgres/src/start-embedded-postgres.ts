import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries } from './binaries.ts';
import { chooseLauncher, type Launcher } from './choose-launcher.ts';
import { findFreePort, isPortFree } from './free-port.ts';
import { initCluster, USER } from './init-cluster.ts';
import { lockFolder } from './lock-folder.ts';
import { portTaken, type PostgresProcess, runPostgres, StartError } from './run-postgres.ts';
import { stopSurvivor } from './stop-survivor.ts';

export interface EmbeddedPostgresOptions {
  /** The folder for everything PostgreSQL keeps; created if missing, for its owner only. */
  dataDir: string;
  /** Without it: the port of the last start, or any other where that one is taken. */
  port?: number;
  /** PostgreSQL's own settings, over ours. */
  settings?: Record<string, string>;
  /** Defaults to `postgres.log` in the data folder; the log of the start before is kept as `….1`. */
  logFile?: string;
  /** How long a start may take: recovery after a crash reads the log of what was not yet in place. */
  startTimeoutMs?: number;
}

export interface EmbeddedPostgres {
  /** Address and credential of the `postgres` database, whose user may create others. */
  url: string;
  port: number;
  pid: number;
  /** Settles when PostgreSQL has ended, asked for or not, with how. */
  exited: Promise<string>;
  /** Ends every connection, and PostgreSQL with a clean checkpoint; any number of calls. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL of our own and resolves when it accepts connections. It belongs to this
 * process alone: a folder that another running process has is refused, a PostgreSQL that outlived
 * its owner is stopped first. Every error's message is a sentence for the user.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const binaries = await findBinaries();
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataDir);
  try {
    await stopSurvivor(dataDir);
    const launch = chooseLauncher(dataDir);
    const password = await initCluster(dataDir, binaries, launch);
    const running = await startOnSomePort(binaries.postgres, launch, { ...options, dataDir });
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

async function startOnSomePort(
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
      // Backends of a killed PostgreSQL notice within moments, and end.
      if (reason === 'still_in_use' && performance.now() < deadline) await delay(200);
      else if (reason !== 'port_taken' || fixed !== undefined || attempt > 3) throw error;
    }
  }
}
