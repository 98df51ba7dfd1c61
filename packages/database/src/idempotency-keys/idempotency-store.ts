import type { Database } from '../database.ts';
import { runStatement } from '../run-statement.ts';

const KEPT_FOR_HOURS = 24;

export interface StoredAnswer {
  fingerprint: Buffer;
  messageId: string;
  /** The body of the first response; null while the first request is waiting for it. */
  response: object | null;
  /** The time since the key was used first. */
  ageMs: number;
}

/** The responses to requests with an Idempotency-Key. `acceptMessage` writes the keys. */
export interface IdempotencyStore {
  /** Returns null if the key is free or older than 24 hours. */
  find(workspaceId: string, key: string): Promise<StoredAnswer | null>;
  /** Stores `response` unless there is one already. Returns the stored response. */
  keepResponse(workspaceId: string, key: string, response: object): Promise<object>;
  /** Deletes keys older than 24 hours and returns their number. */
  deleteExpired(limit: number): Promise<number>;
}

export function createIdempotencyStore({ pool }: Pick<Database, 'pool'>): IdempotencyStore {
  return {
    async find(workspaceId, key) {
      // Deletes an expired key immediately, so that it can be used again.
      const [row] = await runStatement<StoredAnswer>(
        pool,
        // Another request may delete the row at the same time. The SELECT still reads it from the
        // snapshot, so it must check the age itself.
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
