import { type AccountAddress, type StatusCallback, createBatch } from '@switchboard/core';
import { anyLength } from '../array-parameter.ts';
import type { Database } from '../database.ts';
import { named } from '../named-statement.ts';
import { type Prepared, runStatement } from '../run-statement.ts';

/**
 * Status callbacks for an identifier that belongs to no row yet. The process that stores one then
 * searches for its row, and the process that writes an identifier to a row takes the stored callbacks
 * for it. So one of the two merges the callback.
 */
export interface UnmatchedCallbackStore {
  keep(account: AccountAddress, callback: StatusCallback): Promise<void>;
  /**
   * Deletes and returns the callbacks for an identifier that belongs to a row, in their order of
   * arrival.
   */
  take(vendorAccountId: string, sid: string): Promise<StatusCallback[]>;
  /**
   * Takes callbacks with a `match` whose message must be searched for again, and delays each by its age until
   * the next search. Takes at most `limitOfAccount` of each account.
   */
  takeDue(limitOfAccount: number): Promise<KeptCallback[]>;
  /** Deletes a callback that `takeDue` returned. */
  remove(callback: Pick<KeptCallback, 'workspaceId' | 'id'>): Promise<void>;
  /** Deletes callbacks that are older than 72 hours, and returns their number. */
  deleteExpired(limit: number): Promise<number>;
}

export interface KeptCallback extends AccountAddress {
  id: string;
  callback: StatusCallback;
}

const KEPT_FOR_HOURS = 72;
/** A receipt may arrive shortly before the response that contains its identifier is stored. */
const FIRST_SEARCH_AFTER = `interval '2 seconds'`;
const MAX_DUE = 500;

// The accounts bound what one of them can take of a search. Only those with sessions have an @.
const TAKE_DUE = `
WITH due AS (
  SELECT a.workspace_id, kept.id
  FROM provider_accounts a CROSS JOIN LATERAL (
    SELECT o.id FROM unmatched_callbacks o
    WHERE o.workspace_id = a.workspace_id AND o.provider_id = a.id
      AND o.match_at <= now()
    ORDER BY o.match_at LIMIT $1::int FOR UPDATE SKIP LOCKED
  ) AS kept
  WHERE a.vendor_account_id LIKE '%@%' LIMIT ${MAX_DUE}
)
UPDATE unmatched_callbacks o
SET match_at = now() + GREATEST(now() - o.received_at, ${FIRST_SEARCH_AFTER})
FROM due WHERE o.workspace_id = due.workspace_id AND o.id = due.id
RETURNING o.id, o.workspace_id AS "workspaceId", o.provider_id AS "providerId", o.callback`;

interface Identifier {
  vendorAccountId: string;
  sid: string;
}

interface TakenRow {
  id: string;
  callback: StatusCallback;
}

// Only callbacks of the row's workspace: another workspace may have the same account, with its own
// token. Locked in the same order, so that two batches never wait for each other.
const TAKE: Prepared = {
  name: 'take_unmatched_callbacks',
  growsWith: ['message_records'],
  text: `
WITH kept AS (
  SELECT o.workspace_id, o.id FROM unnest(${anyLength('$1', 'text')}, ${anyLength('$2', 'text')}) AS i(sid, vendor_account_id)
    JOIN unmatched_callbacks o ON o.provider_sid = i.sid AND o.vendor_account_id = i.vendor_account_id
    JOIN provider_sids s ON s.provider_sid = o.provider_sid
      AND s.vendor_account_id = o.vendor_account_id AND s.workspace_id = o.workspace_id
  ORDER BY o.id FOR UPDATE OF o
)
DELETE FROM unmatched_callbacks o USING kept
WHERE o.workspace_id = kept.workspace_id AND o.id = kept.id
RETURNING o.id, o.callback`,
};

export function createUnmatchedCallbackStore({
  pool,
}: Pick<Database, 'pool'>): UnmatchedCallbackStore {
  // Called for every message that receives its identifier, and rarely finds anything.
  const take = createBatch<Identifier, StatusCallback[]>({
    maxSize: 200,
    concurrency: 1,
    maxWaiting: 20_000,
    async run(identifiers) {
      const rows = await runStatement<TakenRow>(pool, TAKE, [
        identifiers.map(({ sid }) => sid),
        identifiers.map(({ vendorAccountId }) => vendorAccountId),
      ]);
      const kept = new Map<string, StatusCallback[]>();
      for (const { callback } of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        const key = keyOf(callback);
        kept.set(key, [...(kept.get(key) ?? []), callback]);
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
    async keep({ workspaceId, providerId }, callback) {
      await runStatement(
        pool,
        ...named(
          `INSERT INTO unmatched_callbacks
             (workspace_id, provider_id, vendor_account_id, provider_sid, callback, received_at, match_at)
           VALUES (:workspaceId::uuid, :providerId::uuid, :vendorAccountId, :sid, :callback::jsonb, now(),
             CASE WHEN :isSearched::bool THEN now() + ${FIRST_SEARCH_AFTER} END)`,
          {
            workspaceId,
            providerId,
            vendorAccountId: callback.vendorAccountId,
            sid: callback.sid,
            callback: JSON.stringify(callback),
            isSearched: callback.match !== undefined,
          },
        ),
      );
    },

    take: (vendorAccountId, sid) => take({ vendorAccountId, sid }),

    takeDue: (limitOfAccount) => runStatement<KeptCallback>(pool, TAKE_DUE, [limitOfAccount]),

    async remove({ workspaceId, id }) {
      await runStatement(
        pool,
        'DELETE FROM unmatched_callbacks WHERE workspace_id = $1::uuid AND id = $2::uuid',
        [workspaceId, id],
      );
    },

    async deleteExpired(limit) {
      const rows = await runStatement(
        pool,
        `DELETE FROM unmatched_callbacks WHERE (workspace_id, id) IN (
           SELECT workspace_id, id FROM unmatched_callbacks
           WHERE received_at < now() - interval '${KEPT_FOR_HOURS} hours'
           LIMIT $1::int FOR UPDATE SKIP LOCKED) RETURNING 1`,
        [limit],
      );
      return rows.length;
    },
  };
}

function keyOf({ vendorAccountId, sid }: Identifier): string {
  return `${vendorAccountId} ${sid}`;
}
