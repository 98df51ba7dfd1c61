import { type StatusCallback, createBatch } from '@switchboard/core';
import type { Database } from '../database.ts';
import { type Prepared, runStatement } from '../sql-error.ts';

/**
 * Status callbacks for an identifier that no row holds yet. The process that keeps one then looks for
 * a holder, and the process that writes an identifier takes what is kept for it: so one of them merges it.
 */
export interface UnmatchedCallbackStore {
  keep(workspaceId: string, callback: StatusCallback): Promise<void>;
  /** Hands out, and forgets, what is kept for an identifier that a row holds; in the order it came. */
  take(providerAccount: string, providerSid: string): Promise<StatusCallback[]>;
  /** Forgets those older than 72 hours; returns how many. */
  deleteExpired(limit: number): Promise<number>;
}

const KEPT_FOR_HOURS = 72;

interface Identifier {
  account: string;
  sid: string;
}

interface TakenRow extends Identifier {
  id: string;
  callback: StoredCallback;
}

/** As it is stored, also for a release before this one that runs beside it. */
type StoredCallback = Omit<StatusCallback, 'account' | 'isOptOut'> & {
  accountSid: string;
  isOptOut?: boolean;
};

// Of the holder's workspace only: another may claim the same account, with a token of its own. Locked
// in one order, so that two batches never wait for each other.
const TAKE: Prepared = {
  name: 'take_orphan_callbacks',
  growsWith: 'messages',
  text: `
WITH kept AS (
  SELECT o.id FROM unnest($1::text[], $2::text[]) AS i(sid, account)
    JOIN orphan_callbacks o ON o.provider_sid = i.sid AND o.provider_account = i.account
    JOIN messages m ON m.provider_sid = o.provider_sid
      AND m.provider_account = o.provider_account AND m.workspace_id = o.workspace_id
  ORDER BY o.id FOR UPDATE OF o
)
DELETE FROM orphan_callbacks o USING kept WHERE o.id = kept.id
RETURNING o.id, o.provider_account AS account, o.provider_sid AS sid, o.callback`,
};

/** @param isOptOutCode decides for callbacks that a release before this one has kept */
export function createUnmatchedCallbackStore(
  { pool }: Pick<Database, 'pool'>,
  isOptOutCode: (code: string) => boolean,
): UnmatchedCallbackStore {
  function toCallback({ accountSid: account, ...stored }: StoredCallback): StatusCallback {
    const { errorCode } = stored;
    const isOptOut = stored.isOptOut ?? (errorCode !== null && isOptOutCode(errorCode));
    return { ...stored, account, isOptOut };
  }

  // Called once for every message that receives its identifier, and hardly ever finds anything.
  const take = createBatch<Identifier, StatusCallback[]>({
    maxSize: 200,
    concurrency: 1,
    maxWaiting: 20_000,
    async run(identifiers) {
      const rows = await runStatement<TakenRow>(pool, TAKE, [
        identifiers.map(({ sid }) => sid),
        identifiers.map(({ account }) => account),
      ]);
      const kept = new Map<string, StatusCallback[]>();
      for (const { account, sid, callback } of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        const key = keyOf({ account, sid });
        kept.set(key, [...(kept.get(key) ?? []), toCallback(callback)]);
      }
      return identifiers.map((identifier) => {
        const callbacks = kept.get(keyOf(identifier)) ?? [];
        // Asked for twice in one batch: they are the first one's.
        kept.delete(keyOf(identifier));
        return callbacks;
      });
    },
  });

  return {
    async keep(workspaceId, callback) {
      const { account: accountSid, ...rest } = callback;
      const stored: StoredCallback = { ...rest, accountSid };
      await runStatement(
        pool,
        `INSERT INTO orphan_callbacks
           (workspace_id, provider_account, provider_sid, callback, received_at)
         VALUES ($1::uuid, $2, $3, $4::jsonb, now())`,
        [workspaceId, callback.account, callback.sid, JSON.stringify(stored)],
      );
    },

    take: (account, sid) => take({ account, sid }),

    async deleteExpired(limit) {
      const rows = await runStatement(
        pool,
        `DELETE FROM orphan_callbacks WHERE id = ANY(ARRAY(
           SELECT id FROM orphan_callbacks
           WHERE received_at < now() - interval '${KEPT_FOR_HOURS} hours'
           LIMIT $1::int FOR UPDATE SKIP LOCKED)) RETURNING 1`,
        [limit],
      );
      return rows.length;
    },
  };
}

function keyOf({ account, sid }: Identifier): string {
  return `${account} ${sid}`;
}
