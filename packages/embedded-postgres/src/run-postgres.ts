import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Launcher, LAUNCH_ENVIRONMENT } from './choose-launcher.ts';

export interface PostgresProcess {
  port: number;
  pid: number;
  exited: Promise<string>;
  stop(): Promise<void>;
}

/** Why one attempt at a start failed, and whether the next may do better. */
export class StartError extends Error {
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

/** One attempt to run PostgreSQL on a cluster that is there; resolves when it accepts connections. */
export async function runPostgres(options: {
  program: string;
  launch: Launcher;
  dataDir: string;
  port: number;
  settings?: Record<string, string>;
  logFile?: string;
  startTimeoutMs?: number;
}): Promise<PostgresProcess> {
  const { program, launch, port } = options;
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

export function portTaken(port: number): StartError {
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
