import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ProcessStore } from './process-store.ts';

export interface ProcessReport {
  /** Reports once, and from then on every 10 seconds. Never rejects. */
  start(): Promise<void>;
  /** Ends the reports and removes the process. Never rejects. */
  stop(): Promise<void>;
}

const REPORT_EVERY_MS = 10_000;
const RETRY_MS = 1_000;

/** Keeps this process in the list of those that run. */
export function createProcessReport(options: {
  store: Pick<ProcessStore, 'report' | 'remove'>;
  role: 'api' | 'worker';
  keyIds: readonly string[];
  /** Receives what a report failed with; the next one is made all the same. */
  onError(error: unknown): void;
}): ProcessReport {
  const { store, role, keyIds, onError } = options;
  const self = { id: randomUUID(), role, host: hostname(), pid: process.pid, keyIds };
  let timer: NodeJS.Timeout | undefined;
  let reporting: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function report(): Promise<void> {
    let waitMs = REPORT_EVERY_MS;
    try {
      await store.report(self);
    } catch (error) {
      waitMs = RETRY_MS;
      onError(error);
    }
    if (isStopped) return;
    timer = setTimeout(() => (reporting = report()), waitMs);
    timer.unref();
  }

  return {
    start: () => (reporting = report()),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      // A report that is in flight would add the row again.
      await reporting;
      await store.remove(self.id).catch(onError);
    },
  };
}
