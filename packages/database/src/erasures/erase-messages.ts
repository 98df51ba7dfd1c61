import { DUE_NOW } from '../due-now.ts';
import { named } from '../named-statement.ts';
import type { Run } from '../run-statement.ts';
import { prefixInSql } from '../messages/search-index/chunks.ts';

/** The messages of the person that are still here. */
const OF_PERSON = `r.workspace_id = :workspaceId::uuid AND r.counterpart = ANY(:numbers::text[]) AND r.id < :beforeId::uuid`;

/**
 * Whether a message in progress has ended. The provider may still report that the recipient of any other one has opted
 * out, and an erased message has no number to store that for.
 */
const HAS_ENDED = `p.dispatch IN ('rejected', 'canceled')`;

// Rows in use are skipped, so that no statement waits for another one here; the next batch finds them. The identifier that a
// lookup found becomes final, so that the message is never sent again. The version rises, so that nothing is written
// that was decided on the message as it was.
const ERASE = `
WITH candidates AS MATERIALIZED (
  SELECT r.id, p.id IS NOT NULL AS is_in_progress
  FROM message_records r LEFT JOIN message_progress p ON p.workspace_id = r.workspace_id AND p.id = r.id
  WHERE ${OF_PERSON} AND (p.id IS NULL OR ${HAS_ENDED})
  ORDER BY r.id LIMIT :limit::int
),
progress AS MATERIALIZED (
  SELECT p.id, p.provider_id, p.provider_sid FROM message_progress p
  WHERE p.workspace_id = :workspaceId::uuid AND ${HAS_ENDED}
    AND p.id = ANY(ARRAY(SELECT id FROM candidates WHERE is_in_progress))
  ORDER BY p.id FOR UPDATE SKIP LOCKED
),
batch AS MATERIALIZED (
  SELECT r.id, r.direction, r.media, r.reference, r.provider_id, r.provider_sid FROM message_records r
  WHERE r.workspace_id = :workspaceId::uuid AND r.id = ANY(ARRAY(SELECT id FROM candidates))
    AND (r.status IS NOT NULL OR r.id = ANY(ARRAY(SELECT id FROM progress)))
  ORDER BY r.id FOR UPDATE SKIP LOCKED
),
events AS (
  UPDATE message_events e SET detail = NULL, error_detail = NULL,
    "from" = CASE b.direction WHEN 'inbound' THEN :erased ELSE e."from" END
  FROM batch b WHERE e.workspace_id = :workspaceId::uuid AND e.message_id = b.id
),
redactions AS (
  INSERT INTO message_redactions (workspace_id, erasure_id, message_id, provider_id, provider_sid)
  SELECT :workspaceId::uuid, :erasureId::uuid, b.id, COALESCE(p.provider_id, b.provider_id),
    COALESCE(p.provider_sid, b.provider_sid)
  FROM batch b LEFT JOIN progress p ON p.id = b.id
  WHERE COALESCE(p.provider_sid, b.provider_sid) IS NOT NULL
  ON CONFLICT DO NOTHING
),
-- The endpoint's responses may repeat what it received. An event that is still to be delivered is read from the message.
deliveries AS (
  UPDATE webhook_deliveries d SET attempts = (
    SELECT COALESCE(jsonb_agg(a || '{"error": null, "response": null}' ORDER BY place), '[]')
    FROM jsonb_array_elements(d.attempts) WITH ORDINALITY AS t(a, place))
  FROM batch b WHERE d.workspace_id = :workspaceId::uuid AND d.message_id = b.id AND d.attempts <> '[]'
),
files AS MATERIALIZED (
  SELECT DISTINCT substr(item ->> 'url', 7)::uuid AS id FROM batch b, jsonb_array_elements(b.media) AS item
  WHERE item ->> 'url' ~ '^media:[0-9a-f-]{36}$'
),
-- A file that another message uses, or may be about to use, stays. After ten minutes, one without a record was refused.
removed AS (
  UPDATE media_files f SET deleted_at = now(), check_at = ${DUE_NOW}, name = '' FROM files
  WHERE f.workspace_id = :workspaceId::uuid AND f.id = files.id AND f.deleted_at IS NULL AND NOT EXISTS (
    SELECT FROM media_uses u
    LEFT JOIN message_records m ON m.workspace_id = u.workspace_id AND m.id = u.message_id
    WHERE u.workspace_id = f.workspace_id AND u.media_id = f.id AND u.message_id <> ALL(ARRAY(SELECT id FROM batch))
      AND CASE WHEN m.id IS NULL THEN u.message_id > (SELECT uuid_v7(now() - interval '10 minutes')) ELSE m.media <> '[]' END)
),
-- A view of a reference that only this person's messages have.
views AS (
  UPDATE saved_views v SET filters = v.filters || jsonb_build_object('reference', :erased::text)
  WHERE v.workspace_id = :workspaceId::uuid AND v.filters ->> 'reference' IN (SELECT reference FROM batch)
    AND NOT EXISTS (
      SELECT FROM message_records r
      WHERE r.workspace_id = v.workspace_id AND r.reference = v.filters ->> 'reference'
        AND r.counterpart <> ALL(:numbers::text[]))
),
progressed AS (
  UPDATE message_progress p SET "to" = :erased, error_detail = NULL, sid_adopted = false, version = p.version + 1
  FROM progress q JOIN batch b ON b.id = q.id
  WHERE p.workspace_id = :workspaceId::uuid AND p.id = q.id
),
chunks AS (
  UPDATE message_chunks c SET rule = 0, words = array_to_tsvector(ARRAY[${prefixInSql('c.workspace_id')}])
  WHERE c.workspace_id = :workspaceId::uuid AND EXISTS (
    SELECT FROM batch b WHERE b.id BETWEEN c.first_id AND c.last_id)
),
recorded AS (
  UPDATE message_records r SET
    "to" = CASE r.direction WHEN 'inbound' THEN r."to" ELSE :erased END,
    "from" = CASE r.direction WHEN 'inbound' THEN :erased ELSE r."from" END,
    body = '', media = '[]', reference = NULL, metadata = NULL, error_detail = NULL,
    sid_adopted = CASE WHEN r.sid_adopted THEN false ELSE r.sid_adopted END, version = r.version + 1
  FROM batch b WHERE r.workspace_id = :workspaceId::uuid AND r.id = b.id
  RETURNING r.id
)
SELECT count(*) AS erased FROM recorded`;

const COUNT_OTHERS = `
SELECT count(*) AS remaining, count(*) FILTER (WHERE p.id IS NOT NULL AND NOT ${HAS_ENDED}) AS waiting
FROM message_records r LEFT JOIN message_progress p ON p.workspace_id = r.workspace_id AND p.id = r.id
WHERE ${OF_PERSON}`;

// A message that waits for its resend may be at the provider: decideCancel.
const LIST_CANCELABLE = `
SELECT r.id, r.workspace_id AS "workspaceId"
FROM message_progress p JOIN message_records r ON r.workspace_id = p.workspace_id AND r.id = p.id
WHERE ${OF_PERSON} AND p.dispatch = 'ready' AND p.resends = 0
LIMIT :limit::int`;

/** The messages of an erasure. */
export interface PersonMessages {
  workspaceId: string;
  erasureId: string;
  numbers: readonly string[];
  beforeId: string;
}

/**
 * Erases some messages that have ended, at most `limit`, and returns how many. Their status, times, direction, sender and
 * identifiers stay. Requires a transaction in which `erased` is the text instead of a number.
 */
export async function eraseMessages(
  run: Run,
  of: PersonMessages,
  { erased, limit }: { erased: string; limit: number },
): Promise<number> {
  const [row] = await run<{ erased: number }>(...named(ERASE, { ...of, erased, limit }));
  return row?.erased ?? 0;
}

/** Counts the messages that are left, and those of them that have not ended. */
export async function countRemaining(
  run: Run,
  of: PersonMessages,
): Promise<{ remaining: number; waiting: number }> {
  const [row] = await run<{ remaining: number; waiting: number }>(
    ...named(COUNT_OTHERS, { ...of }),
  );
  return row ?? { remaining: 0, waiting: 0 };
}

/** Lists messages that no worker has sent. */
export function listCancelable(
  run: Run,
  of: PersonMessages,
  limit: number,
): Promise<{ id: string; workspaceId: string }[]> {
  return run(...named(LIST_CANCELABLE, { ...of, limit }));
}
