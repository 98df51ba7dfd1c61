import type { Database } from '../database.ts';
import { named } from '../named-statement.ts';
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

/** The key that a batch has taken, in place of a message under the id of the batch. */
export interface ClaimedKey {
  id: string;
  workspaceId: string;
  key: string;
}

/** The responses to requests with an Idempotency-Key. `acceptMessage` writes the keys. */
export interface IdempotencyStore {
  /** Returns null if the key is free or older than 24 hours. */
  find(workspaceId: string, key: string): Promise<StoredAnswer | null>;
  /** Works like `find` for several keys in one statement. */
  findEach(workspaceId: string, keys: readonly string[]): Promise<(StoredAnswer | null)[]>;
  /**
   * Takes a key for a batch before its messages are stored. Returns false if another request has it, unless that
   * one has the same fingerprint, no response, and took the key more than `leaseMs` ago.
   */
  claim(batch: ClaimedKey, fingerprint: Buffer, leaseMs: number): Promise<boolean>;
  /** Stores the response of a batch. Returns false if another request has taken its key since. */
  finish(batch: ClaimedKey, response: object): Promise<boolean>;
  /** Frees the key of a batch that gets no response. */
  release(batch: ClaimedKey): Promise<void>;
  /** Stores `response` unless there is one already. Returns the stored response. */
  keepResponse(workspaceId: string, key: string, response: object): Promise<object>;
  /** Deletes keys older than 24 hours and returns their number. */
  deleteExpired(limit: number): Promise<number>;
}

// Deletes expired keys immediately, so that they can be used again. Another request may delete a row at the same
// time. The SELECT still reads it from the snapshot, so it must check the age itself.
const FIND = `
WITH freed AS (
  DELETE FROM idempotency_keys WHERE workspace_id = $1::uuid AND key = ANY($2::text[])
    AND created_at < now() - interval '${KEPT_FOR_HOURS} hours'
)
SELECT key, fingerprint, message_id AS "messageId", response,
  (extract(epoch FROM now() - created_at) * 1000)::float8 AS "ageMs"
FROM idempotency_keys
WHERE workspace_id = $1::uuid AND key = ANY($2::text[])
  AND created_at >= now() - interval '${KEPT_FOR_HOURS} hours'`;

export function createIdempotencyStore({ pool }: Pick<Database, 'pool'>): IdempotencyStore {
  const find = (workspaceId: string, keys: readonly string[]) =>
    runStatement<StoredAnswer & { key: string }>(pool, FIND, [workspaceId, keys]);

  return {
    async find(workspaceId, key) {
      const [row] = await find(workspaceId, [key]);
      return row ?? null;
    },

    async findEach(workspaceId, keys) {
      const rows = await find(workspaceId, keys);
      const byKey = new Map(rows.map((row) => [row.key, row]));
      return keys.map((key) => byKey.get(key) ?? null);
    },

    async claim({ id, workspaceId, key }, fingerprint, leaseMs) {
      const rows = await runStatement(
        pool,
        ...named(
          `INSERT INTO idempotency_keys AS k (workspace_id, key, fingerprint, message_id, created_at)
           VALUES (:workspaceId::uuid, :key, :fingerprint, :id::uuid, now())
           ON CONFLICT (workspace_id, key) DO UPDATE SET message_id = excluded.message_id, created_at = now()
           WHERE k.response IS NULL AND k.fingerprint = excluded.fingerprint
             AND k.created_at < now() - :leaseMs::int * interval '1 millisecond'
           RETURNING 1`,
          { workspaceId, key, fingerprint, id, leaseMs },
        ),
      );
      return rows.length > 0;
    },

    async finish({ id, workspaceId, key }, response) {
      const rows = await runStatement(
        pool,
        ...named(
          `UPDATE idempotency_keys SET response = :response::jsonb
           WHERE workspace_id = :workspaceId::uuid AND key = :key AND message_id = :id::uuid RETURNING 1`,
          { workspaceId, key, id, response: JSON.stringify(response) },
        ),
      );
      return rows.length > 0;
    },

    async release({ id, workspaceId, key }) {
      await runStatement(
        pool,
        `DELETE FROM idempotency_keys
         WHERE workspace_id = $1::uuid AND key = $2 AND message_id = $3::uuid AND response IS NULL`,
        [workspaceId, key, id],
      );
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
