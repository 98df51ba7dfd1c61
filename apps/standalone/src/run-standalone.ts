import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type EmbeddedPostgres,
  FolderInUseError,
  type FolderLock,
  isPortFree,
  lockFolder,
  startEmbeddedPostgres,
} from '@switchboard/embedded-postgres';
import { createChildEnvironment } from './child-environment.ts';
import { readStandaloneConfig, type StandaloneConfig } from './config.ts';
import { createEnding, type End, type Ending, EndingError } from './ending.ts';
import { keepSecretKey } from './keep-secret-key.ts';
import { type ChildrenFile, clearLeftoverChildren } from './leftover-children.ts';
import { type Child, startChild } from './start-child.ts';
import { createWelcome } from './welcome.ts';

const APPS = resolve(import.meta.dirname, '../..');
const READY_MS = 60_000;

/** Everything on one machine, until it is told to end; returns the exit code. */
export async function runStandalone(): Promise<number> {
  const ending = createEnding();
  try {
    const config = await readStandaloneConfig();
    if (config.isRunByNpm) endWithParent(ending);
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    const lock = await lockDataFolder(config.dataDir);
    try {
      return await runLocked(config, ending);
    } finally {
      await lock.release();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    ending.release();
  }
}

/** A killed npm tells nobody; what it ran must not go on behind its back. */
function endWithParent(ending: Ending): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent)
      ending.begin({ exitCode: 1, reason: 'npm, which ran this, is gone.' });
  }, 250);
  timer.unref();
}

async function runLocked(config: StandaloneConfig, ending: Ending): Promise<number> {
  const startedAt = performance.now();
  const children = await clearLeftoverChildren(config.dataDir);
  await assertPortsFree(config);

  const house = createHouse(config, ending, children);
  let end: End;
  try {
    await house.start();
    const seconds = (performance.now() - startedAt) / 1000;
    process.stdout.write(await createWelcome(config, seconds));
    end = await ending.begun;
  } catch (error) {
    end =
      error instanceof EndingError
        ? error.end
        : { exitCode: 1, reason: error instanceof Error ? error.message : String(error) };
    ending.begin(end); // from here on a signal means impatience
  }

  if (end.exitCode !== 0) process.stderr.write(`\n${end.reason}\n`);
  process.stdout.write(`\nStopping${end.exitCode === 0 ? ` (${end.reason})` : ''} …\n`);
  const problems = await house.stop();
  await children.remove();
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write('Stopped.\n');
  return problems.length > 0 ? 1 : end.exitCode;
}

/** The processes: what starts after what, and the other way round. */
function createHouse(config: StandaloneConfig, ending: Ending, children: ChildrenFile) {
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
      untilReady(simulator),
      runToEnd('demo-data', 'cli/dist/demo-data.js', env),
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

  /** Returns what went wrong on the way. A second request to end cuts it short. */
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

/** One that is just ending is waited for: `npm start` right after a stop finds its place free. */
async function lockDataFolder(dataDir: string): Promise<FolderLock> {
  const deadline = performance.now() + 2_000;
  for (;;) {
    try {
      return await lockFolder(dataDir);
    } catch (cause) {
      if (!(cause instanceof FolderInUseError)) throw cause;
      if (performance.now() > deadline) {
        throw new Error(
          `Switchboard is already running on ${dataDir} (process ${cause.pid}): stop it, or set DATA_DIR to another folder.`,
          { cause },
        );
      }
    }
    await delay(50);
  }
}

async function assertPortsFree(config: StandaloneConfig): Promise<void> {
  if (config.port === config.simulatorPort) {
    throw new Error(`PORT and SIMULATOR_PORT must differ; both are ${config.port}.`);
  }
  for (const [setting, port, host] of [
    ['PORT', config.port, config.host],
    ['SIMULATOR_PORT', config.simulatorPort, '127.0.0.1'],
  ] as const) {
    // The system may take a moment to give back the port of a process that has been killed.
    const deadline = performance.now() + 1_000;
    let isFree = await isPortFree(port, host);
    while (!isFree && performance.now() < deadline) {
      await delay(50);
      isFree = await isPortFree(port, host);
    }
    if (!isFree) {
      throw new Error(
        `Port ${port} on ${host} is taken: stop what uses it, or set ${setting} to another.`,
      );
    }
  }
}
