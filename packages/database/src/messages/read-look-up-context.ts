import type { Rivals } from '@switchboard/core';
import type pg from 'pg';
import { runStatement } from '../sql-error.ts';

export interface LookUpContextQuery {
  /** The row that is looked up. */
  id: string;
  workspaceId: string;
  providerAccount: string;
  to: string;
  from: string | null;
  body: string;
  /** The identifiers that the provider's list holds. */
  sids: readonly string[];
  /**
   * When the youngest of the provider's messages may have been begun at the latest, by the
   * database's clock; null when its age is not known. A row begun later can't claim any of them.
   */
  begunBefore: Date | null;
  /** Look-ups in a whole hold. */
  holdLookups: number;
}

export interface LookUpContext {
  /** Those of the identifiers that a row holds already. */
  heldSids: string[];
  rivals: Rivals;
}

// One statement, so that a row is either a rival or the holder of its identifier. Both go beyond
// the workspace: several may share one provider account. A workspace shares it only by proof: where
// the provider has not accepted its credentials, its rows claim nothing.
const SQL = `
SELECT
  ARRAY(
    SELECT m.provider_sid FROM messages m
    WHERE m.provider_sid = ANY($1::text[]) AND m.provider_account = $2
  ) AS "heldSids",
  count(*) FILTER (WHERE r.dispatch = 'inflight' OR r.lookups < $3::int) AS undecided,
  count(*) FILTER (WHERE r.dispatch = 'unknown' AND r.lookups >= $3::int) AS held
FROM messages r
WHERE r.dispatch IN ('inflight', 'unknown')
  AND r."to" = $4 AND r.provider_account = $2
  AND r.body = $5 AND r.id <> $6::uuid
  AND r.started_at <= COALESCE($7::timestamptz, 'infinity')
  AND (r."from" = $8 OR r."from" IS NULL OR $8 IS NULL)
  AND (r.workspace_id = $9::uuid OR EXISTS (
    SELECT 1 FROM provider_configurations p
    WHERE p.workspace_id = r.workspace_id AND p.account_sid = $2
      AND p.verified_credentials = p.auth_token_encrypted))`;

/** Which of the provider's messages are free, and which rows may claim them. */
export async function readLookUpContext(
  pool: pg.Pool,
  query: LookUpContextQuery,
): Promise<LookUpContext> {
  const [row] = await runStatement<{ heldSids: string[]; undecided: number; held: number }>(
    pool,
    SQL,
    [
      query.sids,
      query.providerAccount,
      query.holdLookups,
      query.to,
      query.body,
      query.id,
      query.begunBefore,
      query.from,
      query.workspaceId,
    ],
  );
  const { heldSids, undecided, held } = row ?? { heldSids: [], undecided: 0, held: 0 };
  return { heldSids, rivals: { undecided, held } };
}
