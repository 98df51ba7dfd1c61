import type { Database } from '../database.ts';
import { runStatement } from '../sql-error.ts';

const KEPT_FOR_HOURS = 24;

export interface StoredAnswer {
  fingerprint: Buffer;
  messageId: string;
  /** The first answer's body; null while the first request is still waiting to give it. */
  response: object | null;
  /** Since the key was spent. */
  ageMs: number;
}

/** The answers given under Idempotency-Keys. Keys are spent by `acceptMessage`. */
export interface IdempotencyStore {
  /** Null when the key is free, or was until 24 hours ago. */
  find(workspaceId: string, key: string): Promise<StoredAnswer | null>;
  /** Keeps `response` as the answer unless one is kept already; returns the one that counts. */
  keepResponse(workspaceId: string, key: string, response: object): Promise<object>;
  /** Forgets keys older than 24 hours; returns how many. */
  deleteExpired(limit: number): Promise<number>;
}

export function createIdempotencyStore({ pool }: Pick<Database, 'pool'>): IdempotencyStore {
  return {
    async find(workspaceId, key) {
      // An expired key is freed here, where it is found, so that its next use finds it unspent.
      const [row] = await runStatement<StoredAnswer>(
        pool,
        // The deletion has its own say on a row that another request frees right now; the reading
        // sees that row as it was, and must judge by itself.
        `WITH freed AS (
           DELETE FROM idempotency_keys WHERE workspace_id = $1::uuid AND key = $2
             AND created_at < now() - interval '${KEPT_FOR_HOURS} hours'
         )
         SELECT fingerprint, message_id AS "messageId", response,
           (extract(epoch FROM now() - created_at) * 1000)::float8 AS "ageMs"
         FROM idempotency_keys
         WHERE workspace_id = $1::uuid AND key = $2
           AND created_at >= now() - interval '${KEPT_FOR_HOURS} hours'`,
        [workspaceId, key],
      );
      return row ?? null;
    },

    async keepResponse(workspaceId, key, response) {
      const [row] = await runStatement<{ response: object }>(
        pool,
        `UPDATE idempotency_keys SET response = COALESCE(response, $3::jsonb)
         WHERE workspace_id = $1::uuid AND key = $2 RETURNING response`,
        [workspaceId, key, JSON.stringify(response)],
      );
      return row?.response ?? response;
    },

    async deleteExpired(limit) {
      const rows = await runStatement(
        pool,
        `DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM idempotency_keys
           WHERE created_at < now() - interval '${KEPT_FOR_HOURS} hours' LIMIT $1::int
           FOR UPDATE SKIP LOCKED)) RETURNING 1`,
        [limit],
      );
      return rows.length;
    },
  };
}
