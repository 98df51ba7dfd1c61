import { QUOTAS, type RecordKeptCallback } from '@switchboard/core';
import type {
  KeptCallback,
  ProviderStore,
  TraceableRow,
  UnmatchedCallbackStore,
} from '@switchboard/database';
import type { ResolveProviderAccount, ResolvedAccount } from '@switchboard/providers';
import type { Logger } from '@switchboard/runtime';
import type { WorkerMetrics } from '../worker-metrics.ts';

export interface MatchCallbacksDependencies {
  unmatchedCallbacks: Pick<UnmatchedCallbackStore, 'takeDue' | 'remove'>;
  providers: Pick<ProviderStore, 'list'>;
  resolveProviderAccount: ResolveProviderAccount;
  recordKeptCallback: RecordKeptCallback<TraceableRow>;
  metrics: Pick<WorkerMetrics, 'unmatchedMerged'>;
  logger: Logger;
}

const EVERY_MS = 1_000;
const LIMIT_OF_ACCOUNT = 50;
const ALL = { number: 1, size: QUOTAS.providersPerWorkspace };

/**
 * Searches again for the messages of kept receipts: the response with the identifier may have been stored since, or
 * the owner may have corrected the account's settings.
 */
export function createMatchCallbacks(dependencies: MatchCallbacksDependencies) {
  const { unmatchedCallbacks, logger } = dependencies;
  let nextAt = 0;

  return async function matchCallbacks(): Promise<void> {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + EVERY_MS;
    const due = await unmatchedCallbacks.takeDue(LIMIT_OF_ACCOUNT);
    for (const kept of due.toSorted((a, b) => (a.id < b.id ? -1 : 1))) await tryMatch(kept);
  };

  async function tryMatch(kept: KeptCallback): Promise<void> {
    const { workspaceId, providerId, callback } = kept;
    const log = logger.child({ workspace_id: workspaceId, provider_sid: callback.sid });
    try {
      const match = await readMatch(kept);
      let message: object = {};
      const result = await dependencies.recordKeptCallback({
        workspaceId,
        providerId,
        addressed: null,
        callback: { ...callback, ...(match !== undefined && { match }) },
        log,
        onMessage({ id, requestId }) {
          message = { message_id: id, message_request_id: requestId };
        },
      });
      if (result === null) return;
      await unmatchedCallbacks.remove(kept);
      dependencies.metrics.unmatchedMerged.inc();
      log.info({ ...message, result }, 'unmatched delivery receipt matched');
    } catch (error) {
      // The next search has the same result.
      log.warn({ err: error }, 'failed to match a delivery receipt');
    }
  }

  /** The settings of the account may have changed since the receipt arrived. */
  async function readMatch(kept: KeptCallback) {
    const { match, sid } = kept.callback;
    const resolved = await findAccount(kept);
    const sessions = resolved?.adapter.sessions ?? null;
    return match === undefined || resolved === null || sessions === null
      ? match
      : { ...match, expectedKey: sessions.toExpectedKey(resolved.account, sid) };
  }

  async function findAccount({
    workspaceId,
    providerId,
    callback,
  }: KeptCallback): Promise<Extract<ResolvedAccount, { kind: 'resolved' }> | null> {
    const { items } = await dependencies.providers.list(workspaceId, ALL);
    const provider = items.find(({ id }) => id === providerId);
    // With the credentials of another account at the vendor, its settings are not those of the message.
    if (provider?.vendorAccountId !== callback.vendorAccountId) return null;
    const resolved = dependencies.resolveProviderAccount(workspaceId, provider);
    return resolved.kind === 'resolved' ? resolved : null;
  }
}
