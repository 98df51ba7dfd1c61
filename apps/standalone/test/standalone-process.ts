import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@switchboard/embedded-postgres';
import {
  type ChildOptions,
  type ChildProcess,
  findProgramFile,
  startChild,
} from '@switchboard/testing';

const ROOT = resolve(import.meta.dirname, '../../..');
const MAIN = findProgramFile('standalone');

const started = new Set<ChildProcess>();

export interface Demo {
  base_url: string;
  simulator_url: string;
  provider_urls: Record<string, string>;
  workspace_id: string;
  api_key: string;
  from: string;
}

/** Starts the program of `npm start`. Resolves when it has printed that it is ready. */
export function startStandalone(
  env: Record<string, string>,
  readyAt = 'Switchboard is ready',
): Promise<ChildProcess> {
  return start({ command: process.execPath, args: [MAIN], env }, readyAt);
}

/** Starts the program as a child of a shell that, unlike npm, forwards no signals. */
export function startStandaloneInShell(env: Record<string, string>): Promise<ChildProcess> {
  const args = ['-c', '"$0" "$1" & wait', process.execPath, MAIN];
  return start({ command: 'sh', args, env: { ...env, npm_lifecycle_event: 'start' } });
}

/** Runs `npm start` in a pseudo-terminal, so that a test can send Ctrl-C like a user. */
export function startInTerminal(env: Record<string, string>): Promise<ChildProcess> {
  // `-e` returns the exit code of the command. npm reads the package of the current folder.
  const args = ['-qec', `cd '${ROOT}' && exec npm start`, '/dev/null'];
  const { PATH = '', HOME = '' } = process.env;
  return start({ command: 'script', args, env: { ...env, PATH, HOME }, takesInput: true });
}

async function start(
  options: Pick<ChildOptions, 'command' | 'args' | 'env' | 'takesInput'>,
  readyAt = 'Switchboard is ready',
): Promise<ChildProcess> {
  const child = await startChild({
    ...options,
    name: 'standalone',
    isReady: (line) => line.includes(readyAt),
    // Five processes and all migrations.
    readyTimeoutMs: 300_000,
  });
  started.add(child);
  void child.exited.then(() => started.delete(child));
  return child;
}

export async function stopAll(): Promise<void> {
  await Promise.all([...started].map((child) => child.stop()));
}

export async function chooseEnvironment(dataDir: string): Promise<Record<string, string>> {
  return {
    DATA_DIR: dataDir,
    PORT: String(await findFreePort()),
    SIMULATOR_PORT: String(await findFreePort()),
    LOG_LEVEL: 'info',
  };
}

export async function readDemo(dataDir: string): Promise<Demo> {
  return JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Demo;
}

/** Returns a process's pid from its log. Lines may arrive after the process is ready. */
export async function pidOf(standalone: ChildProcess, name: string): Promise<number> {
  const deadline = performance.now() + 20_000;
  do {
    for (const line of standalone.logs) {
      const pid = line.startsWith(name) ? /"pid":(\d+)/.exec(line)?.[1] : undefined;
      if (pid !== undefined) return Number(pid);
    }
    await delay(20);
  } while (performance.now() < deadline);
  throw new Error(`${name} has logged no line with its pid.`);
}
