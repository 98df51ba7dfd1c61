import type { StatusCallback } from '@switchboard/core';
import type { Database } from '../database.ts';
import { runStatement } from '../sql-error.ts';

/**
 * Status callbacks for an identifier that no row holds yet. Who keeps one looks for a holder
 * afterwards, and who learns an identifier takes what is kept for it: so one of the two sees it.
 */
export interface OrphanCallbackStore {
  keep(workspaceId: string, callback: StatusCallback): Promise<void>;
  /** Hands out, and forgets, what is kept for an identifier that a row holds; in the order it came. */
  take(providerAccount: string, providerSid: string): Promise<StatusCallback[]>;
  /** Forgets those older than 72 hours; returns how many. */
  deleteExpired(limit: number): Promise<number>;
}

const KEPT_FOR_HOURS = 72;

export function createOrphanCallbackStore({ pool }: Pick<Database, 'pool'>): OrphanCallbackStore {
  return {
    async keep(workspaceId, callback) {
      await runStatement(
        pool,
        `INSERT INTO orphan_callbacks
           (workspace_id, provider_account, provider_sid, callback, received_at)
         VALUES ($1::uuid, $2, $3, $4::jsonb, now())`,
        [workspaceId, callback.accountSid, callback.sid, JSON.stringify(callback)],
      );
    },

    async take(providerAccount, providerSid) {
      const rows = await runStatement<{ id: string; callback: StatusCallback }>(
        pool,
        // Of the holder's workspace only: another may claim the same account, with a token of its own.
        `DELETE FROM orphan_callbacks o USING messages m
         WHERE m.provider_sid = $1 AND m.provider_account = $2
           AND o.provider_sid = m.provider_sid AND o.provider_account = m.provider_account
           AND o.workspace_id = m.workspace_id
         RETURNING o.id, o.callback`,
        [providerSid, providerAccount],
      );
      return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((row) => row.callback);
    },

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
