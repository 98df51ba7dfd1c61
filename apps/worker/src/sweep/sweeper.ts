import type { Logger } from '@switchboard/runtime';
import type { WorkerMetrics } from '../worker-metrics.ts';

export interface Sweeper {
  start(): void;
  /** Waits for the sweep in progress. */
  stop(): Promise<void>;
}

/** Sweeps again and again, a jittered time after the end of the last sweep. No leader: all do. */
export function createSweeper(options: {
  everyMs: number;
  /** In this order; the failure of one does not keep the others from their turn. */
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
    // A database that is away fails every sweep: its coming and its going are worth a line.
    if (failure !== null && !failing) logger.warn({ err: failure }, 'sweeping fails');
    if (failure === null && failing) logger.info('sweeping works again');
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
