import type { CircuitBreakerStore } from '@switchboard/database';
import type { WorkerMetrics } from '../worker-metrics.ts';

const EVERY_MS = 60_000;

/** Counts the accounts by state, and those in use; an alert compares the failing accounts with them. */
export function createWatchAccountsInUse(
  breakers: Pick<CircuitBreakerStore, 'countByState' | 'countInUse'>,
  metrics: Pick<WorkerMetrics, 'accounts' | 'accountsInUse'>,
) {
  let nextAt = 0;

  return async function watchAccountsInUse(): Promise<void> {
    if (performance.now() < nextAt) return;
    const counts = await breakers.countByState();
    // A state without accounts must disappear.
    metrics.accounts.reset();
    for (const { type: provider, state, count } of counts) {
      metrics.accounts.set({ provider, state }, count);
    }
    metrics.accountsInUse.set(await breakers.countInUse());
    nextAt = performance.now() + EVERY_MS;
  };
}
