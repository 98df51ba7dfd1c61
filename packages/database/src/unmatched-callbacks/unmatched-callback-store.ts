import { type StatusCallback, createBatch } from '@switchboard/core';
import { anyLength } from '../array-parameter.ts';
import type { Database } from '../database.ts';
import { type Prepared, runStatement } from '../run-statement.ts';

/**
 * Status callbacks for an identifier that belongs to no row yet. The process that stores one then
 * searches for its row, and the process that writes an identifier to a row takes the stored callbacks
 * for it. So one of the two merges the callback.
 */
export interface UnmatchedCallbackStore {
  keep(workspaceId: string, callback: StatusCallback): Promise<void>;
  /**
   * Deletes and returns the callbacks for an identifier that belongs to a row, in their order of
   * arrival.
   */
  take(providerAccount: string, providerSid: string): Promise<StatusCallback[]>;
  /** Deletes callbacks that are older than 72 hours, and returns their number. */
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

/** The stored format, which the previous release also reads during an upgrade. */
type StoredCallback = Omit<StatusCallback, 'account' | 'isOptOut'> & {
  accountSid: string;
  isOptOut?: boolean;
};

// Only callbacks of the row's workspace: another workspace may have the same account, with its own
// token. Locked in the same order, so that two batches never wait for each other.
const TAKE: Prepared = {
  name: 'take_orphan_callbacks',
  growsWith: 'messages',
  text: `
WITH kept AS (
  SELECT o.id FROM unnest(${anyLength('$1', 'text')}, ${anyLength('$2', 'text')}) AS i(sid, account)
    JOIN orphan_callbacks o ON o.provider_sid = i.sid AND o.provider_account = i.account
    JOIN messages m ON m.provider_sid = o.provider_sid
      AND m.provider_account = o.provider_account AND m.workspace_id = o.workspace_id
  ORDER BY o.id FOR UPDATE OF o
)
DELETE FROM orphan_callbacks o USING kept WHERE o.id = kept.id
RETURNING o.id, o.provider_account AS account, o.provider_sid AS sid, o.callback`,
};

/** @param isOptOutCode decides for callbacks that the previous release stored */
export function createUnmatchedCallbackStore(
  { pool }: Pick<Database, 'pool'>,
  isOptOutCode: (code: string) => boolean,
): UnmatchedCallbackStore {
  function toCallback({ accountSid: account, ...stored }: StoredCallback): StatusCallback {
    const { errorCode } = stored;
    const isOptOut = stored.isOptOut ?? (errorCode !== null && isOptOutCode(errorCode));
    return { ...stored, account, isOptOut };
  }

  // Called for every message that receives its identifier, and rarely finds anything.
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
        // If a batch has two calls for one identifier, the first one gets the callbacks.
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
