import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChildProcess } from '@switchboard/testing';

export type ProcessKind = 'api' | 'worker';

/** A place where one process runs, dies and is started again. */
export interface ProcessSlot {
  name: string;
  kind: ProcessKind;
  /** kill -9; a new process after `downMs`. Resolves when that is ready. */
  kill(downMs: number): Promise<void>;
  /** SIGSTOP for so long, then SIGCONT. */
  freeze(forMs: number): Promise<void>;
  /** Ends the process in order and then starts the next one; resolves when that is ready. */
  replace(): Promise<void>;
  /** Ends the process in order. */
  stop(): Promise<void>;
  /** Starts the next process after `stop`; resolves when that is ready. */
  start(): Promise<void>;
  /** Deaths that nobody ordered and starts that failed; there should be none. */
  troubles: readonly string[];
  /** Lines of all its processes that contain a text; complete once it has been stopped. */
  linesWith(text: string): string[];
}

const MOST_STARTS = 5;

export async function createProcessSlot(options: {
  name: string;
  kind: ProcessKind;
  /** Gets a file `<name>.log` with what all its processes have printed. */
  folder: string;
  start(): Promise<ChildProcess>;
}): Promise<ProcessSlot> {
  const { name, kind, folder } = options;
  const troubles: string[] = [];
  const lines: string[] = [];
  const writes: Promise<void>[] = [];
  const orderedToEnd = new WeakSet<ChildProcess>();

  async function start(): Promise<ChildProcess> {
    for (let tries = 1; ; tries += 1) {
      try {
        const child = await options.start();
        void child.exited.then(({ code, signal }) => {
          lines.push(...child.logs);
          writes.push(appendFile(join(folder, `${name}.log`), `${child.logs.join('\n')}\n`));
          if (!orderedToEnd.has(child)) {
            troubles.push(`${name} ended by itself with ${signal ?? `code ${code}`}`);
          }
        });
        return child;
      } catch (error) {
        troubles.push(`${name} did not start: ${String(error)}`);
        if (tries === MOST_STARTS) throw error;
      }
    }
  }

  async function endInOrder(): Promise<void> {
    orderedToEnd.add(current);
    try {
      await current.stop();
    } catch (error) {
      troubles.push(`${name} did not end in order: ${String(error)}`);
    }
  }

  let current = await start();

  return {
    name,
    kind,
    troubles,
    async kill(downMs) {
      orderedToEnd.add(current);
      await current.kill();
      await pause(downMs);
      current = await start();
    },
    async freeze(forMs) {
      const frozen = current;
      frozen.signal('SIGSTOP');
      await pause(forMs);
      frozen.signal('SIGCONT');
    },
    async replace() {
      await endInOrder();
      current = await start();
    },
    async start() {
      current = await start();
    },
    async stop() {
      await endInOrder();
      await Promise.all(writes);
    },
    linesWith: (text) => lines.filter((line) => line.includes(text)),
  };
}
