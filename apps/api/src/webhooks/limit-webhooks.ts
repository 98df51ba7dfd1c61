import { AppError } from '@switchboard/core';
import type { RateLimit } from '@switchboard/rate-limits';

/** Counts a webhook; throws if its workspace is over the limit. */
export type LimitWebhooks = (workspaceId: string) => Promise<void>;

/**
 * Limits how much one workspace's provider can store. Call it only for verified webhooks, so that a
 * stranger cannot use up the limit. The response is 503 and not 429, because providers retry after
 * a 503.
 */
export function createLimitWebhooks(limit: Pick<RateLimit, 'count'>): LimitWebhooks {
  return async function limitWebhooks(workspaceId) {
    const state = await limit.count({ client: workspaceId });
    if (state === null || state.exceeded === null) return;
    throw new AppError('service_unavailable', state.exceeded, {
      retryAfterSeconds: state.resetSeconds,
    });
  };
}
