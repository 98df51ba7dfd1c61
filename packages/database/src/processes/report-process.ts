import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ProcessStore } from './process-store.ts';

export interface ProcessReport {
  /** Reports once, and then every 10 seconds. Never rejects. */
  start(): Promise<void>;
  /** Ends the reports and removes the process. Never rejects. */
  stop(): Promise<void>;
}

const REPORT_EVERY_MS = 10_000;
const RETRY_MS = 1_000;
/** The second report follows soon: it separates two processes that number events together since their start. */
const SECOND_REPORT_MS = 1_000;

/** Creates the reports that keep this process in the list of running processes. */
export function createProcessReport(options: {
  store: Pick<ProcessStore, 'report' | 'remove'>;
  role: 'api' | 'worker';
  keyIds: readonly string[];
  /** Called with the error of a failed report. Reports continue. */
  onError(error: unknown): void;
}): ProcessReport {
  const { store, role, keyIds, onError } = options;
  const self = { id: randomUUID(), role, host: hostname(), pid: process.pid, keyIds };
  let timer: NodeJS.Timeout | undefined;
  let reporting: Promise<void> = Promise.resolve();
  let isStopped = false;
  let hasReported = false;

  async function report(): Promise<void> {
    let waitMs = hasReported ? REPORT_EVERY_MS : SECOND_REPORT_MS;
    hasReported = true;
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
