import { type DispatchPolicy, type FetchOutcome, NO_CHANGE, decidePoll } from '@switchboard/core';
import type { DueMessage } from '@switchboard/database';
import type { ProviderRegistry } from '@switchboard/providers';
import type { Logger } from '@switchboard/runtime';
import type { OpenAccount } from '../open-account.ts';
import type { SettleRow } from '../settle-row.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';

export interface PollMessageDependencies {
  providers: Pick<ProviderRegistry, 'get'>;
  openAccount: OpenAccount;
  settleRow: SettleRow;
  policy: DispatchPolicy;
  metrics: Pick<WorkerMetrics, 'polls'>;
}

/** Asks the provider what became of a message whose callbacks stay away. */
export function createPollMessage(deps: PollMessageDependencies) {
  return async function pollMessage(row: DueMessage, log: Logger): Promise<FetchOutcome['kind']> {
    const answer = await ask(row);
    const sid = row.providerSid;
    const settled = await deps.settleRow(
      row.id,
      // An answer about an identifier that the row has lost meanwhile is no answer.
      (now) => (now.providerSid === sid ? decidePoll(now, answer, deps.policy) : NO_CHANGE),
      { known: row, retryForMs: 0, log },
    );
    const isNews =
      settled?.kind === 'changed' && settled.change.next.providerStatus !== row.providerStatus;
    const result = answer.kind === 'found' ? (isNews ? 'news' : 'no_news') : answer.kind;
    deps.metrics.polls.inc({ result });
    return answer.kind;
  };

  async function ask(row: DueMessage): Promise<FetchOutcome> {
    const opened = deps.openAccount(row.workspaceId, row.provider);
    if (opened.account === null) return { kind: 'unavailable', detail: opened.detail };
    const adapter = deps.providers.get(opened.type);
    if (adapter === null || row.providerSid === null) return { kind: 'missing' };
    if (opened.account.accountSid !== row.providerAccount) {
      return { kind: 'unavailable', detail: 'The message went out by another account' };
    }
    return adapter.fetchMessage(opened.account, row.providerSid);
  }
}
