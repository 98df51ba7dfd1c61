import { AppError } from '@switchboard/core';
import type { RateLimit, RateLimits } from '@switchboard/rate-limits';

const DAY_SECONDS = 86_400;

/**
 * Counts a message of test mode before it is stored.
 *
 * @throws AppError `rate_limited` beyond the limit of the workspace
 */
export type CountTestMessage = (workspaceId: string) => Promise<void>;

export function createCountTestMessage(
  limits: Pick<RateLimits, 'createLimit'>,
  requests: number,
): CountTestMessage {
  const limit: Pick<RateLimit, 'count'> = limits.createLimit({
    name: 'test_messages',
    requests,
    scope: 'for messages of test mode',
    windowSeconds: DAY_SECONDS,
  });
  return async function countTestMessage(workspaceId) {
    const state = await limit.count({ client: workspaceId });
    if (state === null || state.exceeded === null) return;
    throw new AppError('rate_limited', state.exceeded, { retryAfterSeconds: state.resetSeconds });
  };
}
