import { GATHER_WHEN_BUSY } from '@switchboard/core';
import type pg from 'pg';
import type { SessionClaims } from './session-claims.ts';
import { type Claim, type ClaimedMessage, claimMessages } from './claim-messages.ts';
import { createIsolatedBatch } from '../../isolated-batch.ts';

export type ClaimHint = Claim;

/** For a single message, whose claim does not delay others. */
const TRIAL_LOCK_TIMEOUT_MS = 2_000;

/**
 * Creates the function that claims a message for this worker. Concurrent claims share a statement.
 */
export function createClaimMessage(
  pool: pg.Pool,
  leaseMs: number,
  listSessions: () => SessionClaims,
) {
  return createIsolatedBatch<ClaimHint, ClaimedMessage | null>({
    workspaceOf: ({ workspaceId }) => workspaceId,
    maxSize: 500,
    concurrency: 1,
    maxWaiting: 20_000,
    gather: GATHER_WHEN_BUSY,
    async run(hints, { lockTimeoutMs }) {
      const claims = [...new Map(hints.map((hint) => [hint.messageId, hint])).values()];
      const options = { leaseMs, lockTimeoutMs, isTrial: false, sessions: listSessions() };
      const claimed = await claimMessages(pool, claims, options);
      const byId = new Map(claimed.map((message) => [message.id, message]));
      return hints.map(({ messageId }) => {
        // If a batch has two hints for one message, the first one gets the claim.
        const message = byId.get(messageId) ?? null;
        byId.delete(messageId);
        return message;
      });
    },
  });
}

/** Creates the function that claims one message of a paused provider account. */
export function createClaimTrial(
  pool: pg.Pool,
  leaseMs: number,
  listSessions: () => SessionClaims,
) {
  return async function claimTrial(hint: ClaimHint): Promise<ClaimedMessage | null> {
    const options = {
      leaseMs,
      lockTimeoutMs: TRIAL_LOCK_TIMEOUT_MS,
      isTrial: true,
      sessions: listSessions(),
    };
    const [claimed] = await claimMessages(pool, [hint], options);
    return claimed ?? null;
  };
}
