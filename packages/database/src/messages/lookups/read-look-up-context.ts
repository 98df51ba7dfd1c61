import type { MessageKey, Rivals } from '@switchboard/core';
import type pg from 'pg';
import { named } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';

export interface LookUpContextQuery {
  /** The row that is looked up. */
  id: string;
  workspaceId: string;
  vendorAccountId: string;
  to: string;
  from: string | null;
  /** The identifiers in the provider's list. */
  sids: readonly string[];
  /** Their texts, if they differ from the row's. */
  alteredBodies: readonly string[];
  /**
   * The minimum age of the first attempt for the provider's youngest message, or null if unknown. A row
   * with a later first attempt can't claim any of the messages.
   */
  begunAgoMs: number | null;
  /** The number of lookups in a complete hold. */
  holdLookups: number;
}

export interface LookUpContext {
  /** The identifiers that already belong to a row. */
  heldSids: string[];
  rivals: Rivals;
  /** The number of rows with the same text and number of media, but other media. */
  otherMedia: number;
  /**
   * The number of other rows whose text the provider may have altered, including rows with the same
   * text and other media.
   */
  openTexts: { body: string; rows: number }[];
}

// One statement, so that a row is either a rival or the owner of its identifier. Both may be in
// other workspaces, because several may share one provider account. A workspace needs proof for
// that: if the provider has not accepted its credentials, its rows claim nothing. Rows that were
// given up may still match the provider's messages, but they are not rivals, because their time is
// over.
const SQL = `
WITH self AS (SELECT body, media FROM message_records WHERE workspace_id = :workspaceId::uuid AND id = :id::uuid),
others AS (
  SELECT r.dispatch, r.lookups, asked.body, asked.media, r.started_at
  FROM message_progress r JOIN message_records asked ON asked.workspace_id = r.workspace_id AND asked.id = r.id
  WHERE r.dispatch IN ('inflight', 'unknown') AND r."to" = :to AND r.vendor_account_id = :vendorAccountId
    AND r.id <> :id::uuid AND (r."from" = :from OR r."from" IS NULL OR :from IS NULL)
    AND (r.workspace_id = :workspaceId::uuid OR EXISTS (
      SELECT 1 FROM provider_accounts p
      WHERE p.workspace_id = r.workspace_id AND p.id = r.provider_id AND p.vendor_account_id = :vendorAccountId
        AND p.verified_credentials = p.sealed_secret))
  UNION ALL
  SELECT r.dispatch, r.lookups, r.body, r.media, r.started_at
  FROM message_records r
  WHERE r.workspace_id = :workspaceId::uuid AND r.direction = 'outbound' AND r.status = 'failed'
    AND r.counterpart = :to AND r.dispatch = 'unresolved' AND r.vendor_account_id = :vendorAccountId
    AND r.id <> :id::uuid AND (r."from" = :from OR r."from" IS NULL OR :from IS NULL)
),
compared AS (
  SELECT o.dispatch, o.lookups, o.body,
    :begunAgoMs::float8 IS NULL
      OR o.started_at <= now() - :begunAgoMs::float8 * interval '1 millisecond' AS begun,
    o.body = s.body AND jsonb_array_length(o.media) = jsonb_array_length(s.media) AS alike,
    o.media = s.media AS "sameMedia"
  FROM others o CROSS JOIN self s
  WHERE o.body = s.body OR o.body = ANY(:alteredBodies::text[])
)
SELECT
  ARRAY(
    SELECT s.provider_sid FROM provider_sids s
    WHERE s.provider_sid = ANY(:sids::text[]) AND s.vendor_account_id = :vendorAccountId
  ) AS "heldSids",
  count(*) FILTER (WHERE alike AND begun AND "sameMedia"
    AND (dispatch = 'inflight' OR dispatch = 'unknown' AND lookups < :holdLookups::int)) AS undecided,
  count(*) FILTER (WHERE alike AND begun AND "sameMedia"
    AND dispatch = 'unknown' AND lookups >= :holdLookups::int) AS held,
  count(*) FILTER (WHERE alike AND begun AND NOT "sameMedia") AS "otherMedia",
  (SELECT COALESCE(jsonb_agg(t), '[]') FROM (
    SELECT body, count(*)::int AS rows FROM compared WHERE NOT alike GROUP BY body
  ) t) AS "openTexts"
FROM compared`;

/** Reads which of the provider's messages belong to no row, and which rows may claim them. */
export async function readLookUpContext(
  pool: pg.Pool,
  query: LookUpContextQuery,
): Promise<LookUpContext> {
  const [row] = await runStatement<Omit<LookUpContext, 'rivals'> & Rivals>(
    pool,
    ...named(SQL, { ...query }),
  );
  if (row === undefined) throw new Error('the lookup context query returned no row');
  const { heldSids, undecided, held, otherMedia, openTexts } = row;
  return { heldSids, rivals: { undecided, held }, otherMedia, openTexts };
}

export interface LookUpWindow {
  /** Since the first attempt that the provider may have accepted. */
  startedAgoMs: number;
  /** Since the message was accepted here, or was due. */
  acceptedAgoMs: number;
  mediaCount: number;
}

/** Reads how far back a lookup must search. Durations do not depend on differences between clocks. */
export async function readLookUpWindow(
  pool: pg.Pool,
  { workspaceId, id }: MessageKey,
): Promise<LookUpWindow | null> {
  const [row] = await runStatement<LookUpWindow>(
    pool,
    `SELECT EXTRACT(EPOCH FROM now() - started_at)::float8 * 1000 AS "startedAgoMs",
       EXTRACT(EPOCH FROM now() - GREATEST(created_at, scheduled_at))::float8 * 1000
         AS "acceptedAgoMs",
       jsonb_array_length(media) AS "mediaCount"
     FROM messages WHERE workspace_id = $1::uuid AND id = $2::uuid AND started_at IS NOT NULL`,
    [workspaceId, id],
  );
  return row ?? null;
}
