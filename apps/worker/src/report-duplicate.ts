import type { BusNotice } from '@switchboard/core';
import type { MessageStore } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { WorkerMetrics } from './worker-metrics.ts';

export type ReportDuplicate = (
  message: { id: string; providerSid: string | null },
  sid: string,
  log: Logger,
) => Promise<void>;

/** Reports once that the provider has taken a message twice: timeline, metric and log. */
export function createReportDuplicate(deps: {
  store: Pick<MessageStore, 'recordDuplicate'>;
  publishLater(notice: BusNotice): void;
  metrics: Pick<WorkerMetrics, 'duplicates'>;
}): ReportDuplicate {
  return async function reportDuplicate({ id, providerSid }, sid, log) {
    const recorded = await deps.store.recordDuplicate(id, sid);
    if (recorded === null) return;
    deps.publishLater({ kind: 'message', messageId: id, ...recorded });
    deps.metrics.duplicates.inc();
    log.error(
      { provider_sid: providerSid, duplicate_sid: sid },
      'duplicate: the provider has taken this message twice',
    );
  };
}
