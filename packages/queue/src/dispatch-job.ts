import { randomUUID } from 'node:crypto';

import type { DispatchHint } from '@switchboard/core';

/** Of the queue and of its one kind of job. Both backends refuse a colon in it. */
export const DISPATCH = 'dispatch';

/** Keeps the queue's own event log short: nobody reads it, and it can't be switched off. */
export const EVENT_LOG_LENGTH = 100;

/**
 * A job costs both sides a script in Redis, so it carries a few hints. The first is where a worker
 * of before looks for its only one; what that one passes over is found by the sweeper.
 */
export interface JobData extends DispatchHint {
  more?: readonly DispatchHint[];
}

export const MOST_HINTS_IN_A_JOB = 48;

export function hintsOf({ more = [], ...first }: JobData): DispatchHint[] {
  return [first, ...more];
}

/**
 * Ids are random, never the message's: adding an id that the queue still holds does nothing, in
 * silence, and a hint must not be swallowed by one whose worker died. Retries live in the row.
 */
export function toJob(
  [first, ...more]: readonly [DispatchHint, ...DispatchHint[]],
  priority: number,
) {
  const data: JobData = more.length === 0 ? first : { ...first, more };
  return {
    name: DISPATCH,
    data,
    opts: {
      jobId: randomUUID(),
      priority,
      attempts: 1,
      removeOnComplete: true,
      removeOnFail: true,
    },
  };
}

/** The states of a job that is still to be taken, or under way. */
export const PENDING = ['waiting', 'prioritized', 'active'] as const;

export function sumCounts(counts: Readonly<Record<string, number>>): number {
  return PENDING.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}
