import { type AccountSignal, FAILURES_TO_OPEN, provesResponse } from '@switchboard/core';
import type { CircuitBreakerStore, ProviderStore, RowProvider } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { Routes } from './create-routes.ts';
import type { TenantQueues } from './tenant-queues.ts';

export interface UsedAccount extends Pick<
  RowProvider,
  'id' | 'type' | 'sealedSecret' | 'isRefused' | 'isFailing' | 'isVerified'
> {
  workspaceId: string;
}

/** Tracks the state of provider accounts from the calls of this worker. */
export interface AccountMonitor {
  /** Counts a call, and opens or closes the circuit breaker of its account. Never throws. */
  record(account: UsedAccount, signal: AccountSignal, detail: string): Promise<void>;
  /**
   * Marks an account as verified after it answered a lookup or a poll, if that proves the account. It
   * proves nothing about sends. Never throws.
   */
  recordRead(account: UsedAccount): Promise<void>;
  /**
   * Whether the account's latest call that was not throttled was answered within the last few
   * seconds.
   */
  hasJustResponded(providerId: string): boolean;
}

export interface AccountMonitorDependencies {
  breakers: Pick<CircuitBreakerStore, 'open' | 'close'>;
  providers: Pick<
    ProviderStore,
    'recordRefusal' | 'endRefusal' | 'recordSuccess' | 'recordVerified'
  >;
  /** Whether an answered call proves the account, by the type of the account. */
  callsProve(type: string): boolean;
  routes: Pick<Routes, 'forget' | 'isOnlyAccount'>;
  /** The messages that wait in this process. */
  queues: Pick<TenantQueues<never>, 'hold' | 'chooseAgain'>;
  logger: Logger;
}

const RECENT_MS = 5_000;

export function createAccountMonitor(dependencies: AccountMonitorDependencies): AccountMonitor {
  const { breakers, providers, callsProve, routes, queues, logger } = dependencies;
  /** Consecutive failures by account; a working account has no entry. */
  const failures = new Map<string, number>();
  const respondedAt = new Map<string, number>();

  /** Stops sending through an account of the workspace that has just been paused, in this process. */
  function hold(workspaceId: string): void {
    routes.forget(workspaceId);
    if (routes.isOnlyAccount(workspaceId)) queues.hold(workspaceId);
  }

  async function write(account: UsedAccount, signal: AccountSignal, detail: string): Promise<void> {
    const { id, workspaceId, sealedSecret } = account;
    const credentials = { workspaceId, sealedSecret };
    if (signal === 'answered') {
      const isProof = callsProve(account.type);
      if (isProof && (account.isRefused || !account.isVerified)) {
        await providers.recordSuccess(credentials);
      }
      if (!isProof && account.isRefused) await providers.endRefusal(credentials);
    }
    if (provesResponse(signal) && account.isFailing) {
      await breakers.close(credentials);
      logger.info({ workspace_id: workspaceId, provider_id: id }, 'circuit breaker closed');
    }
    if (signal === 'refused') {
      hold(workspaceId);
      await providers.recordRefusal({ ...credentials, detail });
      hold(workspaceId);
      queues.chooseAgain(workspaceId, id);
    }
    if (signal === 'failed' && (failures.get(id) ?? 0) >= FAILURES_TO_OPEN) {
      hold(workspaceId);
      if (await breakers.open({ ...credentials, detail })) {
        logger.warn(
          { workspace_id: workspaceId, provider_id: id, detail },
          'circuit breaker opened',
        );
        hold(workspaceId);
        queues.chooseAgain(workspaceId, id);
      }
    }
  }

  /** Stores the time, and deletes old ones, so that the map does not grow with the number of accounts. */
  function recordResponse(id: string): void {
    const now = performance.now();
    respondedAt.delete(id);
    respondedAt.set(id, now);
    for (const [oldest, at] of respondedAt) {
      if (now - at < RECENT_MS) break;
      respondedAt.delete(oldest);
    }
  }

  async function tryWrite(workspaceId: string, store: () => Promise<void>): Promise<void> {
    try {
      await store();
    } catch (error) {
      // The next call has the same result and stores it.
      logger.warn(
        { err: error, workspace_id: workspaceId },
        'failed to store the state of a provider account',
      );
    }
  }

  return {
    async record(account, signal, detail) {
      const { id, workspaceId } = account;
      if (provesResponse(signal)) {
        failures.delete(id);
        if (signal === 'answered') recordResponse(id);
      } else if (signal !== 'none') {
        respondedAt.delete(id);
        if (signal === 'failed') failures.set(id, (failures.get(id) ?? 0) + 1);
      }
      await tryWrite(workspaceId, () => write(account, signal, detail));
    },

    async recordRead({ workspaceId, type, sealedSecret, isVerified }) {
      if (isVerified || !callsProve(type)) return;
      const credentials = { workspaceId, sealedSecret };
      await tryWrite(workspaceId, () => providers.recordVerified(credentials));
    },

    hasJustResponded(providerId) {
      const at = respondedAt.get(providerId);
      return at !== undefined && performance.now() - at < RECENT_MS;
    },
  };
}
