import { type AccountSignal, FAILURES_TO_OPEN } from '@switchboard/core';
import type { CircuitBreakerStore, ProviderStore, RowProvider } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';

export interface UsedAccount extends Pick<
  RowProvider,
  'sealedSecret' | 'isRefused' | 'isFailing' | 'isVerified'
> {
  workspaceId: string;
}

/** What this worker's own calls say about provider accounts. */
export interface AccountMonitor {
  /** Counts a call, and opens or closes the circuit breaker of its account. Never throws. */
  record(account: UsedAccount, signal: AccountSignal, detail: string): Promise<void>;
  /** Verifies an account that has answered a look-up or a poll. Says nothing of sends. Never throws. */
  recordRead(account: UsedAccount): Promise<void>;
  /** Whether the account's latest call was answered, within the last few seconds. */
  hasJustAnswered(workspaceId: string): boolean;
}

export interface AccountMonitorDependencies {
  breakers: Pick<CircuitBreakerStore, 'open' | 'close'>;
  providers: Pick<ProviderStore, 'recordRefusal' | 'recordSuccess' | 'recordVerified'>;
  /** Starts nothing more for the workspace in this process. */
  hold(workspaceId: string): void;
  logger: Logger;
}

const RECENT_MS = 5_000;

export function createAccountMonitor(deps: AccountMonitorDependencies): AccountMonitor {
  const { breakers, providers, hold, logger } = deps;
  /** Consecutive failures by workspace; one that works has no entry. */
  const failures = new Map<string, number>();
  const answeredAt = new Map<string, number>();

  async function write(account: UsedAccount, signal: AccountSignal, detail: string): Promise<void> {
    const { workspaceId, sealedSecret } = account;
    const credentials = { workspaceId, sealedSecret };
    if (signal === 'answered' && (account.isRefused || !account.isVerified)) {
      await providers.recordSuccess(credentials);
    }
    if ((signal === 'answered' || signal === 'throttled') && account.isFailing) {
      await breakers.close(credentials);
      logger.info({ workspace_id: workspaceId }, 'circuit breaker closed');
    }
    if (signal === 'refused') {
      hold(workspaceId);
      await providers.recordRefusal({ ...credentials, detail });
    }
    if (signal === 'failed' && (failures.get(workspaceId) ?? 0) >= FAILURES_TO_OPEN) {
      hold(workspaceId);
      if (await breakers.open({ ...credentials, detail })) {
        logger.warn({ workspace_id: workspaceId, detail }, 'circuit breaker opened');
      }
    }
  }

  /** Forgets what is too old to matter, so that the map does not grow with all workspaces. */
  function noteAnswer(workspaceId: string): void {
    const now = performance.now();
    answeredAt.delete(workspaceId);
    answeredAt.set(workspaceId, now);
    for (const [oldest, at] of answeredAt) {
      if (now - at < RECENT_MS) break;
      answeredAt.delete(oldest);
    }
  }

  async function tryWrite(workspaceId: string, store: () => Promise<void>): Promise<void> {
    try {
      await store();
    } catch (error) {
      // The next call says the same.
      logger.warn(
        { err: error, workspace_id: workspaceId },
        'failed to store the state of a provider account',
      );
    }
  }

  return {
    async record(account, signal, detail) {
      const { workspaceId } = account;
      if (signal === 'answered' || signal === 'throttled') {
        failures.delete(workspaceId);
        noteAnswer(workspaceId);
      } else if (signal !== 'none') {
        answeredAt.delete(workspaceId);
        if (signal === 'failed') failures.set(workspaceId, (failures.get(workspaceId) ?? 0) + 1);
      }
      await tryWrite(workspaceId, () => write(account, signal, detail));
    },

    async recordRead({ workspaceId, sealedSecret, isVerified }) {
      if (isVerified) return;
      const credentials = { workspaceId, sealedSecret };
      await tryWrite(workspaceId, () => providers.recordVerified(credentials));
    },

    hasJustAnswered(workspaceId) {
      const at = answeredAt.get(workspaceId);
      return at !== undefined && performance.now() - at < RECENT_MS;
    },
  };
}
