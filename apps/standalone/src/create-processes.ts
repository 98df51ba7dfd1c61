import { join, resolve } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@switchboard/embedded-postgres';
import { createChildEnvironment } from './child-environment.ts';
import type { StandaloneConfig } from './config.ts';
import type { ShutdownRequest } from './shutdown-request.ts';
import { keepSecretKey } from './keep-secret-key.ts';
import type { ChildrenFile } from './leftover-children.ts';
import { type Child, type ReadyMessage, startChild } from './start-child.ts';

const APPS = resolve(import.meta.dirname, '../..');
const READY_MS = 60_000;
/** A larger young generation, as in the API's systemd unit and image: see docs/decisions/fast-path.md. */
const API_FLAGS = ['--max-semi-space-size=64'];

export interface Processes {
  /** Resolves when all processes are ready. `stop` also stops a partial start. */
  start(): Promise<void>;
  /** Returns the problems that occurred. A second shutdown request kills the processes. */
  stop(): Promise<string[]>;
}

/** Starts the processes in order and stops them in reverse. If one exits on its own, all stop. */
export function createProcesses(
  config: StandaloneConfig,
  shutdown: ShutdownRequest,
  children: ChildrenFile,
): Processes {
  const running = new Set<Child>();
  let postgres: Promise<EmbeddedPostgres> | undefined;
  let isStopping = false;

  async function start(): Promise<void> {
    const secretKey = config.secretKey ?? (await keepSecretKey(config.dataDir));
    const database = startDatabase();
    database.catch(() => undefined); // awaited below, unless the simulator fails first

    const forSimulator = { databaseUrl: '', secretKey, providerUrls: {} };
    const withoutDatabase = createChildEnvironment(config, forSimulator);
    // The simulator replaces the provider and must be reachable only from this machine.
    const simulator = await launch('simulator', 'simulator/dist/main.js', {
      ...withoutDatabase,
      HOST: '127.0.0.1',
    });
    const databaseUrl = await shutdown.unlessRequested(database);
    const { providerUrls = {} } = await waitUntilReady(simulator);
    const env = createChildEnvironment(config, { databaseUrl, secretKey, providerUrls });
    await runToCompletion('migrate', 'cli/dist/migrate.js', env);
    await Promise.all([
      // The control routes of the simulator are on its main port only.
      runToCompletion('demo-data', 'cli/dist/demo-data.js', {
        ...env,
        TWILIO_API_URL: config.simulatorUrl,
      }),
      launch('api', 'api/dist/main.js', env).then(waitUntilReady),
      launch('worker', 'worker/dist/main.js', env).then(waitUntilReady),
    ]);
  }

  async function startDatabase(): Promise<string> {
    if (config.databaseUrl !== undefined) return config.databaseUrl;
    postgres = startEmbeddedPostgres({ dataDir: join(config.dataDir, 'postgres') });
    const { url, exited } = await postgres;
    void exited.then((how) => {
      shutdown.request({
        exitCode: 1,
        reason: `${how}. Its log is in ${config.dataDir}/postgres.`,
      });
    });
    return url;
  }

  async function spawn(name: string, program: string, env: Record<string, string>): Promise<Child> {
    if (isStopping) throw new Error('Switchboard is stopping.');
    const nodeFlags = name === 'api' ? API_FLAGS : [];
    const child = startChild({ name, program: join(APPS, program), nodeFlags, env });
    running.add(child);
    void child.exited.then(() => running.delete(child));
    if (child.pid !== undefined) await children.add(child.pid);
    return child;
  }

  async function launch(name: string, program: string, env: Record<string, string>) {
    const child = await spawn(name, program, env);
    void child.exited.then(({ message }) => shutdown.request({ exitCode: 1, reason: message }));
    return child;
  }

  async function waitUntilReady(child: Child): Promise<ReadyMessage> {
    const timer = setTimeout(() => {
      const reason = `${child.name} was not ready within ${READY_MS / 1000} s.`;
      shutdown.request({ exitCode: 1, reason });
    }, READY_MS);
    try {
      return await shutdown.unlessRequested(child.ready);
    } finally {
      clearTimeout(timer);
    }
  }

  async function runToCompletion(name: string, program: string, env: Record<string, string>) {
    const child = await spawn(name, program, env);
    const { isClean, message } = await shutdown.unlessRequested(child.exited);
    if (!isClean) throw new Error(message);
  }

  async function stop(): Promise<string[]> {
    isStopping = true;
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
