import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries } from './binaries.ts';
import { chooseLauncher, type Launcher, LAUNCH_ENVIRONMENT } from './choose-launcher.ts';
import { findFreePort, isPortFree } from './free-port.ts';
import { initCluster, USER } from './init-cluster.ts';
import { lockFolder } from './lock-folder.ts';
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

/** Why one attempt at a start failed, and whether the next may do better. */
class StartError extends Error {
  readonly reason: 'port_taken' | 'still_in_use' | 'other';

  constructor(reason: StartError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '', // their paths may be no longer than about 100 characters
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

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

type Running = Omit<EmbeddedPostgres, 'url'>;

async function startOnSomePort(
  program: string,
  launch: Launcher,
  options: EmbeddedPostgresOptions,
): Promise<Running> {
  const portFile = join(options.dataDir, 'port');
  const last = Number(await readFile(portFile, 'utf8').catch(() => '0'));
  const deadline = performance.now() + 10_000;
  for (let attempt = 0; ; attempt += 1) {
    const fixed = options.port;
    if (fixed !== undefined && !(await isPortFree(fixed))) throw portTaken(fixed);
    const keep = attempt === 0 && last > 0 && (await isPortFree(last));
    const port = fixed ?? (keep ? last : await findFreePort());
    try {
      const running = await startOnce(program, launch, options, port);
      await writeFile(portFile, String(port));
      return running;
    } catch (error) {
      const { reason } = error as Partial<StartError>;
      // Backends of a killed PostgreSQL notice within moments, and end.
      if (reason === 'still_in_use' && performance.now() < deadline) await delay(200);
      else if (reason !== 'port_taken' || fixed !== undefined || attempt > 3) throw error;
    }
  }
}

async function startOnce(
  program: string,
  launch: Launcher,
  options: EmbeddedPostgresOptions,
  port: number,
): Promise<Running> {
  const cluster = join(options.dataDir, 'cluster');
  const logFile = options.logFile ?? join(options.dataDir, 'postgres.log');
  const settings = Object.entries({ ...SETTINGS, ...options.settings });
  const [command, args] = launch(program, [
    '-D',
    cluster,
    '-p',
    String(port),
    ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);

  await rename(logFile, `${logFile}.1`).catch(() => undefined); // there is none on the first start
  const log = await open(logFile, 'w', 0o600);
  // A process group of its own: Ctrl-C in the terminal must not reach it before its clients.
  const child = spawn(command, args, {
    env: LAUNCH_ENVIRONMENT,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  const exited = waitForExit(child);
  await log.close();

  const outcome = await Promise.race([
    exited,
    waitUntilReady(join(cluster, 'postmaster.pid'), child, options.startTimeoutMs ?? 60_000),
  ]);
  if (outcome !== 'ready') {
    if (outcome === 'timeout') {
      child.kill('SIGQUIT');
      await exited;
    }
    throw explain(outcome, await readFile(logFile, 'utf8'), logFile, port);
  }
  return {
    port,
    pid: child.pid ?? 0,
    exited,
    async stop() {
      for (const [signal, patienceMs] of [
        ['SIGINT', 30_000],
        ['SIGQUIT', 5_000],
        ['SIGKILL', 5_000],
      ] as const) {
        child.kill(signal);
        if ((await withinMs(patienceMs, exited)) !== 'timeout') return;
      }
    },
  };
}

function waitForExit(child: ChildProcess): Promise<string> {
  return new Promise((settle) => {
    child.once('error', (error) => settle(`PostgreSQL could not be run: ${error.message}`));
    child.once('exit', (code, signal) =>
      settle(`PostgreSQL ended with ${signal ?? `exit code ${code}`}`),
    );
  });
}

/** The last line of PostgreSQL's pid file tells its state; this is how `pg_ctl` waits too. */
async function waitUntilReady(
  pidFile: string,
  child: ChildProcess,
  timeoutMs: number,
): Promise<'ready' | 'timeout'> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return 'ready';
    await delay(20);
  }
  return 'timeout';
}

function explain(outcome: string, log: string, logFile: string, port: number): StartError {
  if (log.includes('could not bind')) return portTaken(port);
  const fatal = log.split('\n').findLast((line) => /(FATAL|PANIC): /.test(line));
  const cause = fatal?.replace(/^.*(FATAL|PANIC): +/, '').trim() ?? outcome;
  const reason = /pre-existing shared memory|already exists/.test(cause) ? 'still_in_use' : 'other';
  return new StartError(reason, `PostgreSQL did not start: ${cause} (its log is ${logFile}).`);
}

function portTaken(port: number): StartError {
  return new StartError('port_taken', `Port ${port} on 127.0.0.1, meant for PostgreSQL, is taken.`);
}

async function withinMs<T>(patienceMs: number, promise: Promise<T>): Promise<T | 'timeout'> {
  const patience = new AbortController();
  const timeout = delay(patienceMs, 'timeout' as const, { signal: patience.signal });
  timeout.catch(() => undefined); // aborted below
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    patience.abort();
  }
}
