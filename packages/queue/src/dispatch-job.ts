import { randomUUID } from 'node:crypto';

import type { DispatchHint } from '@switchboard/core';

/** Of the queue and of its one kind of job. Both backends refuse a colon in it. */
export const DISPATCH = 'dispatch';

/** Keeps the queue's own event log short: nobody reads it, and it can't be switched off. */
export const EVENT_LOG_LENGTH = 100;

/**
 * Ids are random, never the message's: adding an id that the queue still holds does nothing, in
 * silence, and a hint must not be swallowed by one whose worker died. Retries live in the row.
 */
export function toJob(hint: DispatchHint, priority: number) {
  return {
    name: DISPATCH,
    data: hint,
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
