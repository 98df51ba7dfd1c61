import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A process under test, as it runs in production: its own, with its log in a file. */
export interface App {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;

export async function startApp(options: {
  name: string;
  /** The JavaScript file that is its main. */
  file: string;
  env: Record<string, string | undefined>;
  nodeFlags?: readonly string[];
  /** For the log. */
  folder: string;
  profileFolder: string | null;
}): Promise<App> {
  const { name, folder, profileFolder } = options;
  const logFile = join(folder, `${name}.log`);
  const log = openSync(logFile, 'a');
  const profiling = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const flags = [...(options.nodeFlags ?? []), ...profiling];
  const child = spawn(process.execPath, [...flags, options.file], {
    env: options.env,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const exited = once(child, 'exit');

  async function stop(): Promise<void> {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  }

  const patience = new AbortController();
  const ready = await Promise.race([
    once(child, 'message').then(([message]) => message as { url: string }),
    exited.then(() => null),
    delay(READY_TIMEOUT_MS, null, { signal: patience.signal, ref: false }),
  ]);
  patience.abort();
  if (ready === null) {
    await stop();
    throw new Error(`${name} did not start; see ${logFile}`);
  }
  return { url: ready.url, pid: child.pid ?? 0, stop };
}
