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

/** The failure of a start attempt. `reason` decides whether another attempt makes sense. */
export class StartError extends Error {
  readonly reason: 'port_taken' | 'still_in_use' | 'other';

  constructor(reason: StartError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '', // paths of sockets are limited to about 100 characters
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

const STATE_CHECK_MS = 1_000;

/** Starts PostgreSQL on an existing cluster. Resolves when it accepts connections. */
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

  await rename(logFile, `${logFile}.1`).catch(() => undefined); // the first start has none
  const log = await open(logFile, 'w', 0o600);
  // A separate process group: Ctrl-C in the terminal must not stop PostgreSQL before its clients.
  const child = spawn(command, args, {
    env: LAUNCH_ENVIRONMENT,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  const exited = waitForExit(child);
  await log.close();

  const pidFile = join(cluster, 'postmaster.pid');
  const outcome = await Promise.race([
    exited,
    waitUntilReady(pidFile, child, options.startTimeoutMs ?? 60_000),
  ]);
  if (outcome !== 'ready') {
    if (outcome === 'timeout') {
      child.kill('SIGQUIT');
      await exited;
    }
    throw explain(outcome, await readFile(logFile, 'utf8'), logFile, port);
  }
  finishShutdowns(pidFile, child);
  return {
    port,
    pid: child.pid ?? 0,
    exited,
    async stop() {
      for (const [signal, timeoutMs] of [
        ['SIGINT', 30_000],
        ['SIGQUIT', 5_000],
        ['SIGKILL', 5_000],
      ] as const) {
        child.kill(signal);
        if ((await withinMs(timeoutMs, exited)) !== 'timeout') return;
      }
    },
  };
}

function waitForExit(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`PostgreSQL could not be run: ${error.message}`));
    child.once('exit', (code, signal) =>
      resolve(`PostgreSQL ended with ${signal ?? `exit code ${code}`}`),
    );
  });
}

async function waitUntilReady(
  pidFile: string,
  child: ChildProcess,
  timeoutMs: number,
): Promise<'ready' | 'timeout'> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline && child.exitCode === null && child.signalCode === null) {
    if ((await readState(pidFile, child)) === 'ready') return 'ready';
    await delay(20);
  }
  return 'timeout';
}

/**
 * Ends the connections of a PostgreSQL that is shutting down. After a SIGTERM it refuses new connections, but waits for
 * its clients, and the service keeps its connections open: PostgreSQL would never end, and never start again.
 */
function finishShutdowns(pidFile: string, child: ChildProcess): void {
  const timer = setInterval(() => {
    void readState(pidFile, child).then((state) => {
      if (state === 'stopping') child.kill('SIGINT');
    });
  }, STATE_CHECK_MS);
  timer.unref();
  child.once('exit', () => clearInterval(timer));
}

/** Reads the state in the last line of PostgreSQL's pid file, like `pg_ctl`; null if it has none. */
async function readState(pidFile: string, child: ChildProcess): Promise<string | null> {
  const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
  return Number(lines[0]) === child.pid ? (lines[7]?.trim() ?? null) : null;
}

function explain(outcome: string, log: string, logFile: string, port: number): StartError {
  if (log.includes('could not bind')) return portTaken(port);
  const fatal = log.split('\n').findLast((line) => /(FATAL|PANIC): /.test(line));
  const cause = fatal?.replace(/^.*(FATAL|PANIC): +/, '').trim() ?? outcome;
  const reason = /pre-existing shared memory|already exists/.test(cause) ? 'still_in_use' : 'other';
  return new StartError(reason, `PostgreSQL did not start: ${cause} (its log is ${logFile}).`);
}

export function portTaken(port: number): StartError {
  return new StartError(
    'port_taken',
    `Port ${port} on 127.0.0.1, configured for PostgreSQL, is in use.`,
  );
}

async function withinMs<T>(timeoutMs: number, promise: Promise<T>): Promise<T | 'timeout'> {
  const controller = new AbortController();
  const timeout = delay(timeoutMs, 'timeout' as const, { signal: controller.signal });
  timeout.catch(() => undefined); // aborted below
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    controller.abort();
  }
}
