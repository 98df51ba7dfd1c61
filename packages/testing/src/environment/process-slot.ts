import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildProcess } from '../processes/start-child.ts';

export type ProcessKind = 'api' | 'worker' | 'simulator';

/** Runs one process at a time and starts it again after it ends. */
export interface ProcessSlot {
  name: string;
  kind: ProcessKind;
  /** The URL of the running process; the same for all of them if the port is fixed. */
  readonly url: string;
  /** Sends SIGKILL and starts a new process after `downMs`. Resolves when it is ready. */
  kill(downMs: number): Promise<void>;
  /** Sends SIGKILL; no new process starts until `start` is called. */
  crash(): Promise<void>;
  /** Sends SIGSTOP, then SIGCONT after `forMs`. */
  freeze(forMs: number): Promise<void>;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Stops the process gracefully and starts the next one; resolves when it is ready. */
  replace(): Promise<void>;
  /** Stops the process gracefully. */
  stop(): Promise<void>;
  /** Starts the next process, with `settings` added to its own; resolves when it is ready. */
  start(settings?: Env): Promise<void>;
  /** Unexpected exits and failed starts. Tests expect none. */
  failures: readonly string[];
  /** Returns the log lines of all its processes that contain a text; complete after `stop`. */
  linesWith(text: string): string[];
}

export type Env = Record<string, string>;

export interface ProcessSlotOptions {
  name: string;
  kind: ProcessKind;
  start(settings: Env): Promise<ChildProcess>;
}

export interface SlotEnvironment {
  /** Folder for `<name>.log`, the output of all processes of the slot. */
  folder: string | null;
  /** Whether to retry a start that failed. */
  mayRetry(): boolean;
}

const MAX_STARTS = 5;

export async function createProcessSlot(
  { name, kind, ...options }: ProcessSlotOptions,
  { folder, mayRetry }: SlotEnvironment,
): Promise<ProcessSlot> {
  const failures: string[] = [];
  const lines: string[] = [];
  const writes: Promise<void>[] = [];
  const expectedToEnd = new WeakSet<ChildProcess>();

  async function start(settings: Env = {}): Promise<ChildProcess> {
    for (let tries = 1; ; tries += 1) {
      try {
        const child = await options.start(settings);
        void child.exited.then(({ code, signal }) => {
          lines.push(...child.logs);
          if (folder !== null) {
            writes.push(appendFile(join(folder, `${name}.log`), `${child.logs.join('\n')}\n`));
          }
          if (!expectedToEnd.has(child)) {
            failures.push(`${name} exited unexpectedly with ${signal ?? `code ${code}`}`);
          }
        });
        return child;
      } catch (error) {
        failures.push(`${name} failed to start: ${String(error)}`);
        if (tries === MAX_STARTS || !mayRetry()) throw error;
      }
    }
  }

  async function crash(): Promise<void> {
    expectedToEnd.add(current);
    await current.kill();
  }

  async function stopGracefully(): Promise<void> {
    // The process crashed as expected, and no other has been started since.
    if (expectedToEnd.has(current)) return;
    expectedToEnd.add(current);
    try {
      await current.stop();
    } catch (error) {
      failures.push(`${name} failed to stop: ${String(error)}`);
    }
  }

  let current = await start();

  return {
    name,
    kind,
    get url() {
      return current.url;
    },
    failures,
    async kill(downMs) {
      await crash();
      await delay(downMs);
      current = await start();
    },
    crash,
    async freeze(forMs) {
      const frozen = current;
      frozen.signal('SIGSTOP');
      await delay(forMs);
      frozen.signal('SIGCONT');
    },
    signal: (signal) => current.signal(signal),
    async replace() {
      await stopGracefully();
      current = await start();
    },
    async start(settings) {
      current = await start(settings);
    },
    async stop() {
      await stopGracefully();
      await Promise.all(writes);
    },
    linesWith: (text) => lines.filter((line) => line.includes(text)),
  };
}
