import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildProcess } from '../processes/start-child.ts';

export type ProcessKind = 'api' | 'worker' | 'simulator';

/** A place where one process runs, dies and is started again. */
export interface ProcessSlot {
  name: string;
  kind: ProcessKind;
  /** Of the process that runs now; the same for all of them where its port is chosen. */
  readonly url: string;
  /** SIGKILL; a new process after `downMs`. Resolves when that is ready. */
  kill(downMs: number): Promise<void>;
  /** SIGKILL, and no new process until `start`. */
  crash(): Promise<void>;
  /** SIGSTOP for so long, then SIGCONT. */
  freeze(forMs: number): Promise<void>;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Ends the process in order and then starts the next one; resolves when that is ready. */
  replace(): Promise<void>;
  /** Ends the process in order. */
  stop(): Promise<void>;
  /** Starts the next process, with `settings` besides its own; resolves when that is ready. */
  start(settings?: Env): Promise<void>;
  /** Unexpected ends and failed starts; there should be none. */
  failures: readonly string[];
  /** Lines of all its processes that contain a text; complete once it has been stopped. */
  linesWith(text: string): string[];
}

export type Env = Record<string, string>;

export interface ProcessSlotOptions {
  name: string;
  kind: ProcessKind;
  start(settings: Env): Promise<ChildProcess>;
}

export interface SlotEnvironment {
  /** Gets a file `<name>.log` with what all processes of the slot have printed. */
  folder: string | null;
  /** Whether a start that failed is worth another. */
  mayRetry(): boolean;
}

const MOST_STARTS = 5;

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
            failures.push(`${name} ended by itself with ${signal ?? `code ${code}`}`);
          }
        });
        return child;
      } catch (error) {
        failures.push(`${name} did not start: ${String(error)}`);
        if (tries === MOST_STARTS || !mayRetry()) throw error;
      }
    }
  }

  async function crash(): Promise<void> {
    expectedToEnd.add(current);
    await current.kill();
  }

  async function endInOrder(): Promise<void> {
    // It has crashed as expected, and nothing was started since.
    if (expectedToEnd.has(current)) return;
    expectedToEnd.add(current);
    try {
      await current.stop();
    } catch (error) {
      failures.push(`${name} did not end in order: ${String(error)}`);
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
      await endInOrder();
      current = await start();
    },
    async start(settings) {
      current = await start(settings);
    },
    async stop() {
      await endInOrder();
      await Promise.all(writes);
    },
    linesWith: (text) => lines.filter((line) => line.includes(text)),
  };
}
