import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@switchboard/embedded-postgres';
import { createChildEnvironment } from './child-environment.ts';
import type { StandaloneConfig } from './config.ts';
import type { ShutdownRequest } from './shutdown-request.ts';
import { keepSecretKey } from './keep-secret-key.ts';
import type { ChildrenFile } from './leftover-children.ts';
import { type Run, keepRunning } from './keep-running.ts';
import { type Child, type ReadyMessage, startChild } from './start-child.ts';

const PROGRAMS = resolve(import.meta.dirname, '../../../dist');
/** Only a process that hangs takes this long, even on a busy machine. */
const READY_MS = 180_000;
const STOPPING = 'Switchboard is stopping.';
/** A larger young generation, as in the API's systemd unit and image: see docs/decisions/fast-path.md. */
const API_FLAGS = ['--max-semi-space-size=64'];

export interface Processes {
  /** Resolves when all processes are ready. `stop` also stops a partial start. */
  start(): Promise<void>;
  /** Returns the problems that occurred. A second shutdown request kills the processes. */
  stop(): Promise<string[]>;
}

/**
 * Starts the processes in order and stops them in reverse. One that exits on its own is started again; if
 * that does not help, all stop.
 */
export function createProcesses(
  config: StandaloneConfig,
  shutdown: ShutdownRequest,
  children: ChildrenFile,
): Processes {
  const running = new Set<Child>();
  let postgres: Promise<EmbeddedPostgres> | undefined;
  const stopping = new AbortController();

  async function start(): Promise<void> {
    const secretKey = config.secretKey ?? (await keepSecretKey(config.dataDir));
    const database = startDatabase();
    const forSimulator = { databaseUrl: '', secretKey, providerUrls: {} };
    const withoutDatabase = createChildEnvironment(config, forSimulator);
    // The simulator replaces the provider and must be reachable only from this machine.
    const simulator = keepChildRunning('simulator', 'simulator.js', {
      ...withoutDatabase,
      HOST: '127.0.0.1',
    });
    const [{ providerUrls }, databaseUrl] = await Promise.all([simulator, database]);
    const env = createChildEnvironment(config, { databaseUrl, secretKey, providerUrls });
    await runToCompletion('migrate', 'migrate.js', env);
    await Promise.all([
      // The control routes of the simulator are on its main port only.
      runToCompletion('demo-data', 'demo-data.js', {
        ...env,
        TWILIO_API_URL: config.simulatorUrl,
      }),
      keepChildRunning('api', 'api.js', env),
      keepChildRunning('worker', 'worker.js', env),
    ]);
  }

  async function startDatabase(): Promise<string> {
    if (config.databaseUrl !== undefined) return config.databaseUrl;
    const dataDir = join(config.dataDir, 'postgres');
    async function run(port?: number) {
      if (stopping.signal.aborted) throw new Error(STOPPING);
      postgres = startEmbeddedPostgres({ dataDir, ...(port !== undefined && { port }) });
      const { exited, ...started } = await postgres;
      return { ...started, exited: exited.then((how) => `${how}. Its log is in ${dataDir}.`) };
    }
    const first = await shutdown.unlessRequested(run());
    // The other processes know its port. Until it is back, the API answers with 503.
    keep('PostgreSQL', first, () => run(first.port));
    return first.url;
  }

  function keep(name: string, run: Run, again: () => Promise<Run>): void {
    void keepRunning(run, {
      name,
      start: again,
      report: (line) => void process.stderr.write(`${line}\n`),
      giveUp: (reason) => shutdown.request({ exitCode: 1, reason }),
      signal: stopping.signal,
    });
  }

  /** Resolves when the child is ready for the first time, with the providers' URLs if it sends them. */
  async function keepChildRunning(name: string, program: string, env: Record<string, string>) {
    async function run() {
      const child = await spawn(name, program, env);
      const { providerUrls = {} } = await waitUntilReady(child);
      return { providerUrls, exited: child.exited.then(({ message }) => message) };
    }
    const first = await shutdown.unlessRequested(run());
    keep(name, first, run);
    return first;
  }

  async function spawn(name: string, program: string, env: Record<string, string>): Promise<Child> {
    if (stopping.signal.aborted) throw new Error(STOPPING);
    const nodeFlags = name === 'api' ? API_FLAGS : [];
    const child = startChild({ name, program: join(PROGRAMS, program), nodeFlags, env });
    running.add(child);
    void child.exited.then(() => running.delete(child));
    if (child.pid !== undefined) await children.add(child.pid);
    return child;
  }

  async function waitUntilReady(child: Child): Promise<ReadyMessage> {
    const timeout = new AbortController();
    const late = delay(READY_MS, undefined, { signal: timeout.signal }).then(() => {
      child.kill();
      throw new Error(`${child.name} was not ready within ${READY_MS / 1000} s.`);
    });
    try {
      return await Promise.race([child.ready, late]);
    } finally {
      timeout.abort();
    }
  }

  async function runToCompletion(name: string, program: string, env: Record<string, string>) {
    const child = await spawn(name, program, env);
    const { isClean, message } = await shutdown.unlessRequested(child.exited);
    if (!isClean) throw new Error(message);
  }

  async function stop(): Promise<string[]> {
    stopping.abort();
    const problems: string[] = [];
    shutdown.onSecondRequest(() => {
      for (const child of running) child.kill();
      // An immediate stop loses no committed data: the next start recovers it.
      postgres?.then(({ pid }) => process.kill(pid, 'SIGQUIT')).catch(() => undefined);
    });

    const isServing = (child: Child) => child.name !== 'simulator';
    // The simulator stops last: the API and the worker still wait for its callbacks and responses.
    for (const phase of [[...running].filter(isServing), [...running]]) {
      for (const { isClean, message } of await Promise.all(phase.map((child) => child.stop()))) {
        if (!isClean) problems.push(message);
      }
    }
    // A failed start has already been reported.
    await (await postgres?.catch(() => undefined))?.stop();
    return problems;
  }

  return { start, stop };
}
