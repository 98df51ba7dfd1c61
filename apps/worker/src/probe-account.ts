import type { ProbeOutcome } from '@switchboard/core';
import type { ProviderRegistry } from '@switchboard/providers';
import type { OpenAccount } from './open-account.ts';
import type { WorkerMetrics } from './worker-metrics.ts';
import type { AccountMonitor, UsedAccount } from './account-monitor.ts';

export type ProbedAccount = UsedAccount & {
  type: string;
  accountSid: string;
  messagingServiceSid: string | null;
};

export type ProbeAccount = (account: ProbedAccount) => Promise<ProbeOutcome>;

/**
 * Asks a provider account whether it answers sends, without sending. Never throws. The caller
 * records an answer: an account that is paused stays so until a message has been answered, too.
 */
export function createProbeAccount(deps: {
  providers: Pick<ProviderRegistry, 'get'>;
  openAccount: OpenAccount;
  monitor: Pick<AccountMonitor, 'record'>;
  metrics: Pick<WorkerMetrics, 'probes'>;
}): ProbeAccount {
  return async function probeAccount(account) {
    const outcome = await probe(account);
    deps.metrics.probes.inc({ result: outcome.kind });
    const detail = outcome.kind === 'answered' ? '' : outcome.detail;
    if (outcome.kind !== 'answered') await deps.monitor.record(account, outcome.kind, detail);
    return outcome;
  };

  async function probe(account: ProbedAccount): Promise<ProbeOutcome> {
    const opened = deps.openAccount(account.workspaceId, account);
    if (opened.account === null) return { kind: 'refused', detail: opened.detail };
    const adapter = deps.providers.get(opened.type);
    if (adapter === null) {
      return { kind: 'refused', detail: `No adapter for the provider ${opened.type}` };
    }
    return adapter.probe(opened.account);
  }
}
