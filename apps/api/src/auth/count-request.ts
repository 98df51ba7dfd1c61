import { AppError } from '@switchboard/core';
import type { LimitedClient, RateLimit } from '@switchboard/rate-limits';
import type { FastifyReply } from 'fastify';

const LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;

/**
 * Counts a request in a rate limit and sets the three headers, unless they already show a window that
 * leaves fewer requests. Throws `rate_limited` beyond the limit.
 */
export async function countRequest(
  limit: Pick<RateLimit, 'count'>,
  client: LimitedClient,
  reply: FastifyReply,
): Promise<void> {
  const state = await limit.count(client);
  if (state === null) return;
  const shown = reply.getHeader('x-ratelimit-remaining');
  const isTighter = shown === undefined || state.remaining < Number(shown);
  if (!isTighter && state.exceeded === null) return;
  reply
    .header('x-ratelimit-limit', String(state.limit))
    .header('x-ratelimit-remaining', String(state.remaining))
    .header('x-ratelimit-reset', String(state.resetSeconds));
  if (state.exceeded === null) return;
  throw new AppError('rate_limited', state.exceeded, { retryAfterSeconds: state.resetSeconds });
}

/** Removes the headers again: a request without a valid credential has no limit. */
export function removeLimitHeaders(reply: FastifyReply): void {
  for (const name of LIMIT_HEADERS) reply.removeHeader(name);
}
