import type { Logger } from '@switchboard/runtime';
import type { WorkerMetrics } from '../worker-metrics.ts';

export interface Sweeper {
  start(): void;
  /** Waits for the sweep in progress. */
  stop(): Promise<void>;
}

/**
 * Sweeps repeatedly, with a jittered pause between sweeps. There is no leader: every worker sweeps.
 */
export function createSweeper(options: {
  everyMs: number;
  /** The tasks in order; the failure of one does not stop the others. */
  tasks: readonly (() => Promise<void> | void)[];
  metrics: Pick<WorkerMetrics, 'lastSweep'>;
  logger: Logger;
}): Sweeper {
  const { everyMs, tasks, metrics, logger } = options;
  let timer: NodeJS.Timeout | null = null;
  let sweeping: Promise<void> = Promise.resolve();
  let stopped = false;
  let failing = false;

  async function sweep(): Promise<void> {
    let failure: unknown = null;
    for (const task of tasks) {
      try {
        await task();
      } catch (error) {
        failure = error;
      }
    }
    if (failure === null) metrics.lastSweep.setToCurrentTime();
    // An unavailable database fails every sweep, so only the first failure and the recovery are
    // logged.
    if (failure !== null && !failing) logger.warn({ err: failure }, 'sweep failing');
    if (failure === null && failing) logger.info('sweep recovered');
    failing = failure !== null;
    schedule();
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(
      () => {
        sweeping = sweep();
      },
      everyMs * (0.75 + 0.5 * Math.random()),
    );
  }

  return {
    start: schedule,
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await sweeping;
    },
  };
}
