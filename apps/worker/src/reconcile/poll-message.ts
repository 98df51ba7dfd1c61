import {
  type DispatchPolicy,
  type FetchOutcome,
  NO_CHANGE,
  type ReportDuplicate,
  decidePoll,
  modeOf,
} from '@switchboard/core';
import type { DueMessage, MessageStore } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { TryTransition } from '../try-transition.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';
import { type FindCandidatesDependencies, createFindCandidates } from './find-candidates.ts';
import { readFreeMessages } from './read-free-messages.ts';

export interface PollMessageDependencies extends FindCandidatesDependencies {
  store: Pick<MessageStore, 'readLookUpContext' | 'readLookUpWindow'>;
  reportDuplicate: ReportDuplicate;
  transition: TryTransition;
  policy: DispatchPolicy;
  metrics: Pick<WorkerMetrics, 'polls'>;
}

/** Fetches the status of a message for which callbacks of the provider are missing. */
export function createPollMessage(dependencies: PollMessageDependencies) {
  const findCandidates = createFindCandidates(dependencies);

  return async function pollMessage(row: DueMessage, log: Logger): Promise<FetchOutcome['kind']> {
    const response = await fetchMessage(row);
    const sid = row.providerSid;
    const result = await dependencies.transition(
      row,
      // The response does not count if the row has lost the identifier in the meantime.
      (now) =>
        now.providerSid === sid ? decidePoll(now, response, dependencies.policy) : NO_CHANGE,
      { log },
    );
    const isNews =
      result?.kind === 'changed' && result.change.next.providerStatus !== row.providerStatus;
    const found = isNews ? 'news' : 'no_news';
    // In test mode, only polls report a status. Alerts see the providers of live mode.
    if (modeOf(row.workspaceId) === 'live') {
      dependencies.metrics.polls.inc({ result: response.kind === 'found' ? found : response.kind });
    }
    if (row.resends > 0) await reportSecondAcceptance(row, log);
    return response.kind;
  };

  /**
   * The provider may have accepted the first attempt of a resent message without sending a
   * callback.
   */
  async function reportSecondAcceptance(row: DueMessage, log: Logger): Promise<void> {
    const found = await findCandidates(row);
    if (found.kind === 'unavailable' || found.messages.length === 0) return;
    const { free, rivals } = await readFreeMessages(
      dependencies.store,
      row,
      found,
      dependencies.policy,
    );
    if (rivals.undecided + rivals.held > 0) return;
    for (const { sid } of free.messages) {
      if (sid !== row.providerSid) await dependencies.reportDuplicate(row, sid, log);
    }
  }

  async function fetchMessage(row: DueMessage): Promise<FetchOutcome> {
    const resolved = dependencies.resolveProviderAccount(row.workspaceId, row.provider);
    if (resolved.kind === 'unusable') return { kind: 'unavailable', detail: resolved.detail };
    const { adapter, account } = resolved;
    if (row.providerSid === null) return { kind: 'missing' };
    if (adapter.fetchMessage === null) {
      return { kind: 'unavailable', detail: 'The provider cannot read the status of a message' };
    }
    return adapter.fetchMessage(account, row.providerSid);
  }
}
