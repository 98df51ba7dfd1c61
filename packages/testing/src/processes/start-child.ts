import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { EVENTUALLY } from '../eventually.ts';

export interface ChildOptions {
  name: string;
  command: string;
  args: string[];
  /**
   * The whole environment: only `TMPDIR` is inherited, so that a test behaves the same on every machine.
   */
  env: Readonly<Record<string, string | undefined>>;
  /**
   * Finds the output line that reports readiness; without it, the child sends the IPC message
   * `ready`.
   */
  isReady?(line: string): boolean;
  readyTimeoutMs?: number;
  stopTimeoutMs?: number;
  /** Opens its standard input for `type`; otherwise the input is empty. */
  takesInput?: boolean;
  /** Runs until this process ends, for the following test files: see `start-once.ts`. */
  isShared?: boolean;
  /** A file that receives its output instead of `logs`, so that this process does not read it. */
  logFile?: string;
}

export interface ChildProcess {
  name: string;
  pid: number;
  /** The URL that it reported when it was ready. */
  url: string;
  /** All lines of its standard output and error so far. */
  logs: readonly string[];
  exited: Promise<ChildExit>;
  signal(signal: NodeJS.Signals): void;
  /** Writes to its standard input. */
  type(text: string): void;
  /** Sends SIGTERM and waits; throws for an exit code other than 0, or if it does not exit. */
  stop(): Promise<void>;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
}

export interface ChildExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/**
 * The running children of this test file. It must be empty when the file ends: see
 * `fail-on-leak.ts`.
 */
export const runningChildren = new Set<Pick<ChildProcess, 'name' | 'kill'>>();

/** Starts a process and resolves when it is ready. Every error quotes its last lines. */
export async function startChild(options: ChildOptions): Promise<ChildProcess> {
  const { name } = options;
  const { logFile } = options;
  const log = logFile === undefined ? null : openSync(logFile, 'a');
  const child = spawn(options.command, options.args, {
    // Of this process, so that a run finds its processes by its folder: see `open-run.ts`.
    env: { TMPDIR: tmpdir(), ...options.env },
    stdio: [
      options.takesInput === true ? 'pipe' : 'ignore',
      log ?? 'pipe',
      log ?? 'pipe',
      options.isReady === undefined ? 'ipc' : 'ignore',
    ],
  });
  if (log !== null) closeSync(log);
  const logs: string[] = [];
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('error', (error) => logs.push(`failed to run ${name}: ${error.message}`));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const ready = new Promise<string>((resolve) => {
    if (logFile !== undefined && options.isReady !== undefined) {
      void hasLine(logFile, options.isReady, exited).then((isReady) => isReady && resolve(''));
    }
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        logs.push(line);
        if (options.isReady?.(line) === true) resolve('');
      });
    }
    child.on('message', (message) => {
      if (isReadyMessage(message)) resolve(message.url);
    });
  });

  function failure(what: string): Error {
    const lines = logFile === undefined ? logs : readFileSync(logFile, 'utf8').split('\n');
    const last = lines.slice(-30).join('\n');
    return new Error(`${name} ${what}. Its last lines:\n${last}`);
  }

  async function kill(): Promise<void> {
    child.kill('SIGKILL');
    await exited;
  }

  const running = { name, kill };
  if (options.isShared !== true) runningChildren.add(running);
  void exited.then(() => runningChildren.delete(running));

  const readyTimeoutMs = options.readyTimeoutMs ?? EVENTUALLY.timeout;
  const outcome = await within(readyTimeoutMs, Promise.race([ready, exited]));
  if (typeof outcome !== 'string') {
    await kill();
    if (outcome === null) throw failure(`was not ready within ${readyTimeoutMs} ms`);
    throw failure(`ended before it was ready, with ${outcome.signal ?? `code ${outcome.code}`}`);
  }

  return {
    name,
    pid: child.pid ?? 0,
    url: outcome,
    logs,
    exited,
    signal(signal) {
      if (!child.kill(signal)) throw failure(`has exited and cannot receive ${signal}`);
    },
    type(text) {
      if (child.stdin === null) throw failure('was started without a standard input');
      child.stdin.write(text);
    },
    async stop() {
      child.kill('SIGTERM');
      const stopTimeoutMs = options.stopTimeoutMs ?? EVENTUALLY.timeout;
      const end = await within(stopTimeoutMs, exited);
      if (end === null) {
        await kill();
        throw failure(`did not stop within ${stopTimeoutMs} ms of SIGTERM`);
      }
      if (end.code !== 0) throw failure(`stopped with ${end.signal ?? `code ${end.code}`}`);
    },
    kill,
  };
}

/** Waits until a line of the file matches. Returns false if the process exits first. */
async function hasLine(
  file: string,
  matches: (line: string) => boolean,
  exited: Promise<ChildExit>,
): Promise<boolean> {
  let isRunning = true;
  void exited.then(() => (isRunning = false));
  while (isRunning) {
    if (readFileSync(file, 'utf8').split('\n').some(matches)) return true;
    await delay(50);
  }
  return false;
}

function isReadyMessage(message: unknown): message is { type: 'ready'; url: string } {
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    message.type === 'ready' &&
    'url' in message &&
    typeof message.url === 'string'
  );
}

async function within<T>(timeoutMs: number, promise: Promise<T>): Promise<T | null> {
  const timer = new AbortController();
  const timeout = delay(timeoutMs, null, { signal: timer.signal });
  timeout.catch(() => undefined); // aborted below
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    timer.abort();
  }
}
