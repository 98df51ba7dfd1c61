import { type DispatchHint, GATHER_WHEN_BUSY } from '@switchboard/core';
import type pg from 'pg';
import { type ClaimedMessage, claimMessages } from './claim-messages.ts';
import { createIsolatedBatch } from './isolated-batch.ts';

export type ClaimHint = Pick<DispatchHint, 'messageId' | 'workspaceId'>;

/** For one message, whose claim delays nobody else's. */
const TRIAL_LOCK_TIMEOUT_MS = 2_000;

/** Claims messages for this worker, many in one statement. */
export function createClaimMessage(pool: pg.Pool, leaseMs: number) {
  return createIsolatedBatch<ClaimHint, ClaimedMessage | null>({
    workspaceOf: ({ workspaceId }) => workspaceId,
    maxSize: 500,
    concurrency: 1,
    maxWaiting: 20_000,
    gather: GATHER_WHEN_BUSY,
    async run(hints, { lockTimeoutMs }) {
      const ids = [...new Set(hints.map(({ messageId }) => messageId))];
      const options = { leaseMs, lockTimeoutMs, isTrial: false };
      const claimed = await claimMessages(pool, ids, options);
      const byId = new Map(claimed.map((message) => [message.id, message]));
      return hints.map(({ messageId }) => {
        // Two hints for one message in one batch: the claim is the first one's.
        const message = byId.get(messageId) ?? null;
        byId.delete(messageId);
        return message;
      });
    },
  });
}

/** Claims one message although its provider account is paused. */
export function createClaimTrial(pool: pg.Pool, leaseMs: number) {
  return async function claimTrial({ messageId }: ClaimHint): Promise<ClaimedMessage | null> {
    const options = { leaseMs, lockTimeoutMs: TRIAL_LOCK_TIMEOUT_MS, isTrial: true };
    const [claimed] = await claimMessages(pool, [messageId], options);
    return claimed ?? null;
  };
}
