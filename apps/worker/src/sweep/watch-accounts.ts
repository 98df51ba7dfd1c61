import {
  type DispatchHint,
  type DispatchPolicy,
  type ProbeOutcome,
  getProbeGapMs,
  provesResponse,
} from '@switchboard/core';
import type {
  CircuitBreakerStore,
  MessageStore,
  PausedAccount,
  ProbeTurn,
} from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import { type Routes, KEPT_FOR_MS } from '../create-routes.ts';
import type { SessionDirectory } from '../provider-sessions.ts';
import type { RunResult } from '../tenant-queue.ts';
import type { TenantQueues } from '../tenant-queues.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';
import type { AccountMonitor } from '../account-monitor.ts';
import type { ProbeAccount, ProbedAccount } from '../probe-account.ts';

export interface WatchAccountsDependencies {
  breakers: Pick<CircuitBreakerStore, 'listPaused' | 'takeProbes' | 'recordFailedProbe'>;
  monitor: Pick<AccountMonitor, 'record'>;
  messages: Pick<MessageStore, 'findTrial' | 'bringForward'>;
  probeAccount: ProbeAccount;
  dispatchMessage(hint: DispatchHint, how: { trialOf: string }): Promise<RunResult>;
  routes: Pick<Routes, 'chooseAccount'>;
  directory: Pick<SessionDirectory, 'listClaims'>;
  queues: Pick<TenantQueues<never>, 'holdOnly' | 'chooseAgain'>;
  policy: DispatchPolicy;
  /** Longer than a probe and a trial take together. */
  turnMs: number;
  metrics: Pick<WorkerMetrics, 'accountsPaused'>;
  logger: Logger;
}

const PROBES_AT_ONCE = 16;

export interface AccountWatch {
  /** Reads which accounts are paused, and starts the probes that are due without waiting for them. */
  check(): Promise<void>;
  /** Waits for the probes in flight. */
  stop(): Promise<void>;
}

/**
 * Ends the pause of an account: when its provider answers a probe, one message is sent as a trial.
 * When the provider answers the trial, all other messages follow.
 */
export function createAccountWatch(dependencies: WatchAccountsDependencies): AccountWatch {
  const { breakers, policy, logger } = dependencies;
  const inFlight = new Set<Promise<void>>();
  let pausedBefore: ReadonlyMap<string, PausedAccount> | null = null;

  async function takeTurn(turn: ProbeTurn): Promise<void> {
    const account = {
      ...turn,
      isRefused: turn.reason === 'refused',
      isFailing: turn.reason === 'failing',
    };
    const log = logger.child({
      workspace_id: turn.workspaceId,
      provider_id: turn.id,
      probe: turn.probes,
    });
    try {
      const probe = await dependencies.probeAccount(account);
      if (await hasEnded(account, probe)) return;
      const nextInMs = getProbeGapMs(policy, turn.probes, turn.reason);
      const detail = probe.kind === 'failed' ? probe.detail : null;
      await breakers.recordFailedProbe({ ...turn, detail, nextInMs });
      log.info({ result: probe.kind, detail, next_ms: Math.round(nextInMs) }, 'account probed');
    } catch (error) {
      // The turn expires, and another worker may take the next one.
      log.warn({ err: error }, 'failed to probe a provider account');
    }
  }

  /** Sends the trial if the probe permits it. Returns whether the provider accepts messages again. */
  async function hasEnded(account: ProbedAccount, { kind }: ProbeOutcome): Promise<boolean> {
    if (!provesResponse(kind)) return false;
    // The provider may throttle before it checks the credentials.
    if (account.isRefused && kind === 'throttled') return false;
    const hint = await dependencies.messages.findTrial(account.workspaceId);
    // Other accounts may send the waiting messages, and this account may not suit them.
    const isRoutable =
      hint !== null && (await dependencies.routes.chooseAccount(hint, account.id)) !== 'wait';
    if (isRoutable) {
      const { healthy } = await dependencies.dispatchMessage(hint, { trialOf: account.id });
      return healthy === true;
    }
    // No message is waiting, so the response to the probe is the only evidence.
    await dependencies.monitor.record(account, kind, '');
    return true;
  }

  /**
   * Makes messages due soon after the state of one of their accounts has changed: another account may
   * send them, or their own can again. Otherwise they would wait for the sweeper for a whole lease.
   */
  async function followChanges(paused: readonly PausedAccount[]): Promise<void> {
    const now = new Map(paused.map((account) => [account.id, account]));
    const before = pausedBefore ?? now;
    const back = [...before.values()].filter(({ id }) => !now.has(id));
    const gone = paused.filter(({ id, hasNoOther }) => !before.has(id) && !hasNoOther);
    for (const { id, workspaceId } of gone) dependencies.queues.chooseAgain(workspaceId, id);
    const workspaceIds = [...new Set([...back, ...gone].map((account) => account.workspaceId))];
    if (workspaceIds.length > 0)
      await dependencies.messages.bringForward(workspaceIds, 2 * KEPT_FOR_MS);
    pausedBefore = now;
  }

  return {
    async check() {
      const paused = await breakers.listPaused();
      await followChanges(paused);
      const alone = paused.filter(({ hasNoOther }) => hasNoOther);
      dependencies.queues.holdOnly(new Set(alone.map(({ workspaceId }) => workspaceId)));
      for (const reason of ['refused', 'failing'] as const) {
        const count = paused.filter((account) => account.reason === reason).length;
        dependencies.metrics.accountsPaused.set({ reason }, count);
      }
      if (!paused.some(({ isProbeDue }) => isProbeDue)) return;
      for (const turn of await breakers.takeProbes(
        PROBES_AT_ONCE - inFlight.size,
        dependencies.turnMs,
        dependencies.directory.listClaims(),
      )) {
        const work = takeTurn(turn).finally(() => inFlight.delete(work));
        inFlight.add(work);
      }
    },
    async stop() {
      await Promise.all(inFlight);
    },
  };
}
