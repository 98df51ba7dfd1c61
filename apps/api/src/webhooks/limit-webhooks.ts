import { AppError } from '@switchboard/core';
import type { RateLimit } from '@switchboard/rate-limits';

/** Counts a webhook; throws when its workspace has had too many. */
export type LimitWebhooks = (workspaceId: string) => Promise<void>;

/**
 * Limits what one workspace's provider, or who signs as it, can have stored. Call it for verified
 * webhooks only: a stranger must not use up the limit. The answer is 503 and not 429, because it is
 * a failure that the provider retries.
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
