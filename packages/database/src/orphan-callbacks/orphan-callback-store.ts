import type { StatusCallback } from '@switchboard/core';
import type { Database } from '../database.ts';
import { runStatement } from '../sql-error.ts';

/**
 * Status callbacks for an identifier that no row holds yet. Who keeps one looks for a holder
 * afterwards, and who learns an identifier takes what is kept for it: so one of the two sees it.
 */
export interface OrphanCallbackStore {
  keep(workspaceId: string, callback: StatusCallback): Promise<void>;
  /** Hands out, and forgets, what is kept for an identifier; in the order it came. */
  take(providerAccount: string, providerSid: string): Promise<StatusCallback[]>;
}

export function createOrphanCallbackStore({
  pool,
}: Pick<Database, 'pool'>): OrphanCallbackStore {
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
        `DELETE FROM orphan_callbacks WHERE provider_sid = $1 AND provider_account = $2
         RETURNING id, callback`,
        [providerSid, providerAccount],
      );
      return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((row) => row.callback);
    },
  };
}
