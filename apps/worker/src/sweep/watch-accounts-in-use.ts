import type { CircuitBreakerStore } from '@switchboard/database';
import type { WorkerMetrics } from '../worker-metrics.ts';

const EVERY_MS = 60_000;

/** Counts the accounts in use; an alert compares the failing accounts with them. */
export function createWatchAccountsInUse(
  breakers: Pick<CircuitBreakerStore, 'countInUse'>,
  metrics: Pick<WorkerMetrics, 'accountsInUse'>,
) {
  let nextAt = 0;

  return async function watchAccountsInUse(): Promise<void> {
    if (performance.now() < nextAt) return;
    metrics.accountsInUse.set(await breakers.countInUse());
    nextAt = performance.now() + EVERY_MS;
  };
}
