import type { FailureLimit } from '@switchboard/rate-limits';

/** A limit of failed attempts, and the client that it counts. */
export type CountedLimit = readonly [limit: FailureLimit, client: string];

/**
 * Makes an attempt, and counts it as failed if it returns null or false.
 *
 * @throws AppError `rate_limited` beyond one of the limits
 */
export async function countFailure<T>(
  limits: readonly CountedLimit[],
  attempt: () => Promise<T>,
): Promise<T> {
  const uncount = () => Promise.all(limits.map(([limit, client]) => limit.succeed(client)));
  for (const [limit, client] of limits) await limit.begin(client);
  let result: T;
  try {
    result = await attempt();
  } catch (error) {
    // An internal error is not a wrong secret.
    await uncount();
    throw error;
  }
  if (result !== null && result !== false) await uncount();
  return result;
}
