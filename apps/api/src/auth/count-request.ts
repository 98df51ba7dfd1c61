import { AppError } from '@switchboard/core';
import type { LimitState, LimitedClient, RateLimit } from '@switchboard/rate-limits';
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
  showLimit(state, reply);
  if (state.exceeded === null) return;
  throw new AppError('rate_limited', state.exceeded, { retryAfterSeconds: state.resetSeconds });
}

/** How many sends of a batch, from the first, are within the rate limit, and the error of the others. */
export interface CountedSends {
  admitted: number;
  refusal: AppError | null;
}

/** Counts the sends of a batch, whose first one its request has counted already. */
export async function countSends(
  limit: Pick<RateLimit, 'count'>,
  client: LimitedClient,
  sends: number,
  reply: FastifyReply,
): Promise<CountedSends> {
  const state = sends > 1 ? await limit.count(client, sends - 1) : null;
  if (state === null) return { admitted: sends, refusal: null };
  showLimit(state, reply);
  const refusal = state.exceeded === null ? null : new AppError('rate_limited', state.exceeded);
  return { admitted: 1 + state.admitted, refusal };
}

function showLimit(state: LimitState, reply: FastifyReply): void {
  const shown = reply.getHeader('x-ratelimit-remaining');
  const isTighter = shown === undefined || state.remaining < Number(shown);
  if (!isTighter && state.exceeded === null) return;
  reply
    .header('x-ratelimit-limit', String(state.limit))
    .header('x-ratelimit-remaining', String(state.remaining))
    .header('x-ratelimit-reset', String(state.resetSeconds));
}

/** Removes the headers again: a request without a valid credential has no limit. */
export function removeLimitHeaders(reply: FastifyReply): void {
  for (const name of LIMIT_HEADERS) reply.removeHeader(name);
}
