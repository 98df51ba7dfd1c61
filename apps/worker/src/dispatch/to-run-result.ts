import type { SendOutcome } from '@switchboard/core';
import type { RunResult } from '../tenant-queue.ts';

const CREDENTIALS_PAUSE_MS = 10_000;
/** A longer wait is stored in the rows. */
const LONGEST_PAUSE_MS = 60_000;

/** Whether the account accepts no more messages than it got, so that it is called more slowly. */
export function isThrottled(outcome: SendOutcome): boolean {
  if (outcome.kind !== 'not_sent') return false;
  return outcome.reason === 'throttled' || outcome.reason === 'busy';
}

/** Derives the result for the workspace's queue from the outcome. */
export function toRunResult(outcome: SendOutcome): RunResult {
  const pauseMs = pauseAfter(outcome);
  switch (outcome.kind) {
    case 'accepted':
    case 'rejected':
      return { healthy: true, pauseMs, again: false };
    case 'withheld':
      return { healthy: null, pauseMs, again: false };
    case 'unknown':
      return { healthy: false, pauseMs, again: false };
    case 'not_sent': {
      if (isThrottled(outcome)) return { healthy: null, isThrottled: true, pauseMs, again: true };
      const isOurs = outcome.reason === 'lease_expired';
      return { healthy: isOurs ? null : false, pauseMs, again: false };
    }
  }
}

function pauseAfter(outcome: SendOutcome): number {
  if (outcome.kind !== 'not_sent') return 0;
  switch (outcome.reason) {
    case 'throttled':
      // Without a stated time, the pace of the account decides when the message is sent.
      return Math.min(outcome.retryAfterMs ?? 0, LONGEST_PAUSE_MS);
    case 'credentials':
      return CREDENTIALS_PAUSE_MS;
    case 'unreachable':
    case 'busy':
    case 'lease_expired':
      return 0;
  }
}
