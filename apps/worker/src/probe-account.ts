import { type ProbeOutcome, provesResponse } from '@switchboard/core';
import type { ResolveProviderAccount, SealedProvider } from '@switchboard/providers';
import type { WorkerMetrics } from './worker-metrics.ts';
import type { AccountMonitor, UsedAccount } from './account-monitor.ts';

export type ProbedAccount = UsedAccount & SealedProvider;

export type ProbeAccount = (account: ProbedAccount) => Promise<ProbeOutcome>;

/**
 * Probes whether a provider account answers sends, without sending. Never throws. The caller
 * records a response (`provesResponse`): a paused account stays paused until the provider has also
 * answered a message.
 */
export function createProbeAccount(dependencies: {
  resolveProviderAccount: ResolveProviderAccount;
  monitor: Pick<AccountMonitor, 'record'>;
  metrics: Pick<WorkerMetrics, 'probes'>;
}): ProbeAccount {
  return async function probeAccount(account) {
    const outcome = await probe(account);
    dependencies.metrics.probes.inc({ result: outcome.kind });
    const { kind } = outcome;
    const detail = 'detail' in outcome ? outcome.detail : '';
    if (!provesResponse(kind)) await dependencies.monitor.record(account, kind, detail);
    return outcome;
  };

  async function probe(account: ProbedAccount): Promise<ProbeOutcome> {
    const resolved = dependencies.resolveProviderAccount(account.workspaceId, account);
    if (resolved.kind === 'unusable') return { kind: 'refused', detail: resolved.detail };
    return resolved.adapter.probe(resolved.account);
  }
}
