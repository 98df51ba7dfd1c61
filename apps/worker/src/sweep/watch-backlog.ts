import type { MeasureBacklog } from '@switchboard/database';
import type { WorkerMetrics } from '../worker-metrics.ts';

const EVERY_MS = 10_000;

/** Updates the gauges of the backlog, at most every ten seconds. */
export function createWatchBacklog(
  measure: MeasureBacklog,
  metrics: Pick<WorkerMetrics, 'ready' | 'oldestReady'>,
) {
  let nextAt = 0;

  return async function watchBacklog(): Promise<void> {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + EVERY_MS;
    try {
      const { ready, oldestSeconds } = await measure();
      metrics.ready.set(ready);
      metrics.oldestReady.set(oldestSeconds);
    } catch (error) {
      // Keeping the last value would hide the failure.
      metrics.ready.set(NaN);
      metrics.oldestReady.set(NaN);
      throw error;
    }
  };
}
