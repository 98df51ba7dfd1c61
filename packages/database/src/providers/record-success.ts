import { createBatch } from '@switchboard/core';
import type pg from 'pg';
import { runStatement } from '../run-statement.ts';
import type { SealedCredentials } from './sealed-credentials.ts';

/** Ends the recorded refusal of an account's credentials. */
export const END_REFUSAL = `refused_since = NULL, refused_detail = NULL, probe_at = NULL, probes = 0,
  recovered_at = CASE WHEN refused_since IS NULL THEN recovered_at ELSE now() END`;

export function createRecordSuccess(pool: pg.Pool) {
  return createBatch<SealedCredentials, void>({
    maxSize: 500,
    concurrency: 1,
    maxWaiting: 10_000,
    async run(used) {
      // Rows that another process is writing are skipped, which avoids deadlocks.
      await runStatement(
        pool,
        `UPDATE provider_accounts SET ${END_REFUSAL},
           verified_credentials = sealed_secret
         WHERE (workspace_id, id) IN (
           SELECT p.workspace_id, p.id FROM provider_accounts p
           JOIN unnest($1::uuid[], $2::text[]) AS u(workspace_id, sealed_secret)
             USING (workspace_id, sealed_secret)
           WHERE p.refused_since IS NOT NULL
             OR p.verified_credentials IS DISTINCT FROM p.sealed_secret
           FOR UPDATE OF p SKIP LOCKED)`,
        [used.map((call) => call.workspaceId), used.map((call) => call.sealedSecret)],
      );
      return used.map(() => undefined);
    },
  });
}
