import { join, resolve } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@switchboard/embedded-postgres';
import { createChildEnvironment } from './child-environment.ts';
import type { StandaloneConfig } from './config.ts';
import type { Ending } from './ending.ts';
import { keepSecretKey } from './keep-secret-key.ts';
import type { ChildrenFile } from './leftover-children.ts';
import { type Child, startChild } from './start-child.ts';

const APPS = resolve(import.meta.dirname, '../..');
const READY_MS = 60_000;

export interface Processes {
  /** Resolves when all are ready. What it has started by then is stopped by `stop` in any case. */
  start(): Promise<void>;
  /** Returns what went wrong on the way. A second request to end cuts it short. */
  stop(): Promise<string[]>;
}

/** What starts after what, and stops before it. Whichever dies by itself begins the end. */
export function createProcesses(
  config: StandaloneConfig,
  ending: Ending,
  children: ChildrenFile,
): Processes {
  const running = new Set<Child>();
  let postgres: Promise<EmbeddedPostgres> | undefined;
  let isStopping = false;

  async function start(): Promise<void> {
    const secretKey = config.secretKey ?? (await keepSecretKey(config.dataDir));
    const database = startDatabase();
    database.catch(() => undefined); // awaited below, unless the simulator fails first

    const withoutDatabase = createChildEnvironment(config, { databaseUrl: '', secretKey });
    // The simulator is a stand-in for the provider: never for others than this machine.
    const simulator = await launch('simulator', 'simulator/dist/main.js', {
      ...withoutDatabase,
      HOST: '127.0.0.1',
    });
    const databaseUrl = await ending.unlessBegun(database);
    const env = createChildEnvironment(config, { databaseUrl, secretKey });
    await runToEnd('migrate', 'cli/dist/migrate.js', env);
    await Promise.all([
      // It is told where to send what the demo number receives.
      untilReady(simulator).then(() => runToEnd('demo-data', 'cli/dist/demo-data.js', env)),
      launch('api', 'api/dist/main.js', env).then(untilReady),
      launch('worker', 'worker/dist/main.js', env).then(untilReady),
    ]);
  }

  async function startDatabase(): Promise<string> {
    if (config.databaseUrl !== undefined) return config.databaseUrl;
    postgres = startEmbeddedPostgres({ dataDir: join(config.dataDir, 'postgres') });
    const { url, exited } = await postgres;
    void exited.then((how) => {
      ending.begin({ exitCode: 1, reason: `${how}; its log is in ${config.dataDir}/postgres.` });
    });
    return url;
  }

  async function spawn(name: string, program: string, env: Record<string, string>): Promise<Child> {
    if (isStopping) throw new Error('Everything is being stopped.');
    const child = startChild({ name, program: join(APPS, program), env });
    running.add(child);
    void child.exited.then(() => running.delete(child));
    if (child.pid !== undefined) await children.add(child.pid);
    return child;
  }

  async function launch(name: string, program: string, env: Record<string, string>) {
    const child = await spawn(name, program, env);
    void child.exited.then(({ sentence }) => ending.begin({ exitCode: 1, reason: sentence }));
    return child;
  }

  async function untilReady(child: Child): Promise<void> {
    const timer = setTimeout(() => {
      const reason = `${child.name} was not ready within ${READY_MS / 1000} s.`;
      ending.begin({ exitCode: 1, reason });
    }, READY_MS);
    try {
      await ending.unlessBegun(child.ready);
    } finally {
      clearTimeout(timer);
    }
  }

  async function runToEnd(name: string, program: string, env: Record<string, string>) {
    const child = await spawn(name, program, env);
    const { isClean, sentence } = await ending.unlessBegun(child.exited);
    if (!isClean) throw new Error(sentence);
  }

  async function stop(): Promise<string[]> {
    isStopping = true;
    const problems: string[] = [];
    ending.onImpatience(() => {
      for (const child of running) child.kill();
      // Nothing is lost: the next start recovers what this one has committed.
      postgres?.then(({ pid }) => process.kill(pid, 'SIGQUIT')).catch(() => undefined);
    });

    const isServing = (child: Child) => child.name !== 'simulator';
    // The simulator may still have callbacks for the API and answers for the worker.
    for (const phase of [[...running].filter(isServing), [...running]]) {
      for (const { isClean, sentence } of await Promise.all(phase.map((child) => child.stop()))) {
        if (!isClean) problems.push(sentence);
      }
    }
    // A start that failed has been told already.
    await (await postgres?.catch(() => undefined))?.stop();
    return problems;
  }

  return { start, stop };
}
