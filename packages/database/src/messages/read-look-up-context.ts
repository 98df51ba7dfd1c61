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
  /** The identifiers that the provider's list holds. */
  sids: readonly string[];
  /** Their texts, where they are not the row's. */
  alteredBodies: readonly string[];
  /**
   * How long ago the youngest of the provider's messages may have been begun at least; null when its
   * age is not known. A row begun later can't claim any of them.
   */
  begunAgoMs: number | null;
  /** Look-ups in a whole hold. */
  holdLookups: number;
}

export interface LookUpContext {
  /** Those of the identifiers that a row holds already. */
  heldSids: string[];
  rivals: Rivals;
  /** Rows with the same text and as many media, but other ones. */
  otherMedia: number;
  /** How many other rows in doubt have one of the altered bodies, or the row's with other media. */
  openTexts: { body: string; rows: number }[];
}

// One statement, so that a row is either a rival or the holder of its identifier. Both go beyond
// the workspace: several may share one provider account. A workspace shares it only by proof: where
// the provider has not accepted its credentials, its rows claim nothing. Rows that were given up may
// still be what the provider has, but are no rivals: they have had their time.
const SQL = `
WITH self AS (SELECT body, media FROM messages WHERE id = $6::uuid),
others AS (
  SELECT r.dispatch, r.lookups, r.body, r.media, r.started_at
  FROM messages r
  WHERE r.dispatch IN ('inflight', 'unknown') AND r."to" = $4 AND r.provider_account = $2
    AND r.id <> $6::uuid AND (r."from" = $8 OR r."from" IS NULL OR $8 IS NULL)
    AND (r.workspace_id = $9::uuid OR EXISTS (
      SELECT 1 FROM provider_configurations p
      WHERE p.workspace_id = r.workspace_id AND p.account_sid = $2
        AND p.verified_credentials = p.auth_token_encrypted))
  UNION ALL
  SELECT r.dispatch, r.lookups, r.body, r.media, r.started_at
  FROM messages r
  WHERE r.workspace_id = $9::uuid AND r.direction = 'outbound' AND r.status = 'failed'
    AND r."to" = $4 AND r.dispatch = 'unresolved' AND r.provider_account = $2
    AND r.id <> $6::uuid AND (r."from" = $8 OR r."from" IS NULL OR $8 IS NULL)
),
compared AS (
  SELECT o.dispatch, o.lookups, o.body,
    $7::float8 IS NULL
      OR o.started_at <= now() - $7::float8 * interval '1 millisecond' AS begun,
    o.body = s.body AND jsonb_array_length(o.media) = jsonb_array_length(s.media) AS alike,
    o.media = s.media AS "sameMedia"
  FROM others o CROSS JOIN self s
  WHERE o.body = s.body OR o.body = ANY($5::text[])
)
SELECT
  ARRAY(
    SELECT m.provider_sid FROM messages m
    WHERE m.provider_sid = ANY($1::text[]) AND m.provider_account = $2
  ) AS "heldSids",
  count(*) FILTER (WHERE alike AND begun AND "sameMedia"
    AND (dispatch = 'inflight' OR dispatch = 'unknown' AND lookups < $3::int)) AS undecided,
  count(*) FILTER (WHERE alike AND begun AND "sameMedia"
    AND dispatch = 'unknown' AND lookups >= $3::int) AS held,
  count(*) FILTER (WHERE alike AND begun AND NOT "sameMedia") AS "otherMedia",
  (SELECT COALESCE(jsonb_agg(t), '[]') FROM (
    SELECT body, count(*)::int AS rows FROM compared WHERE NOT alike GROUP BY body
  ) t) AS "openTexts"
FROM compared`;

/** Which of the provider's messages are free, and which rows may claim them. */
export async function readLookUpContext(
  pool: pg.Pool,
  query: LookUpContextQuery,
): Promise<LookUpContext> {
  const [row] = await runStatement<Omit<LookUpContext, 'rivals'> & Rivals>(pool, SQL, [
    query.sids,
    query.providerAccount,
    query.holdLookups,
    query.to,
    query.alteredBodies,
    query.id,
    query.begunAgoMs,
    query.from,
    query.workspaceId,
  ]);
  if (row === undefined) throw new Error('an aggregate without a row');
  const { heldSids, undecided, held, otherMedia, openTexts } = row;
  return { heldSids, rivals: { undecided, held }, otherMedia, openTexts };
}

export interface LookUpWindow {
  /** Since the first attempt that the provider may have taken. */
  startedAgoMs: number;
  /** Since the message was accepted here, or was due. */
  acceptedAgoMs: number;
  mediaCount: number;
}

/** How far back a look-up must reach, in time passed: clocks that differ play no part in that. */
export async function readLookUpWindow(pool: pg.Pool, id: string): Promise<LookUpWindow | null> {
  const [row] = await runStatement<LookUpWindow>(
    pool,
    `SELECT EXTRACT(EPOCH FROM now() - started_at)::float8 * 1000 AS "startedAgoMs",
       EXTRACT(EPOCH FROM now() - GREATEST(created_at, scheduled_at))::float8 * 1000
         AS "acceptedAgoMs",
       jsonb_array_length(media) AS "mediaCount"
     FROM messages WHERE id = $1::uuid AND started_at IS NOT NULL`,
    [id],
  );
  return row ?? null;
}
