import { randomUUID } from 'node:crypto';

import type { DispatchHint } from '@switchboard/core';

/** The name of the queue and of its only kind of job. Both backends refuse a colon in it. */
export const DISPATCH = 'dispatch';

/** Keeps the queue's own event log short: nothing reads it, and it can't be switched off. */
export const EVENT_LOG_LENGTH = 100;

/**
 * A job costs one script in Redis on each side, so it carries several hints. Workers of an earlier
 * release read only the first one; the sweeper finds the messages of the others.
 */
export interface JobData extends DispatchHint {
  more?: readonly DispatchHint[];
}

export const MAX_HINTS_PER_JOB = 48;

export function hintsOf({ more = [], ...first }: JobData): DispatchHint[] {
  return [first, ...more];
}

/**
 * Ids are random, not the message's: BullMQ silently ignores a job whose id is still in the queue, so
 * the job of a dead worker would swallow a new hint. Retries are in the row.
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

/** The states of a job that waits or runs. */
export const PENDING = ['waiting', 'prioritized', 'active'] as const;

export function sumCounts(counts: Readonly<Record<string, number>>): number {
  return PENDING.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}
