import { firstIdOf } from '../messages/id-range.ts';
import type { Run } from '../sql-error.ts';

/**
 * A message whose end the provider has not told, or told nothing at all of, is kept for so long
 * after its last change: evidence may be late.
 */
const LATE_EVIDENCE_DAYS = 30;

// Finished: nothing is owed, no claim, hold or schedule is open, and no more is to be expected. And
// not one that was begun when the oldest open message was, or later: an open one is looked up in the
// provider's list, and what is in that list must be known to be somebody else's.
const FINISHED = `
  m.due_at IS NULL
  AND m.dispatch IN ('accepted', 'rejected', 'canceled', 'unresolved')
  AND (m.scheduled_at IS NULL OR m.scheduled_at < $3::timestamptz)
  AND (m.dispatch <> 'unresolved'
      AND m.status IN ('canceled', 'failed', 'undelivered', 'delivered', 'received', 'read')
    OR m.updated_at < now() - interval '${LATE_EVIDENCE_DAYS} days')
  AND (m.started_at IS NULL OR m.started_at < COALESCE($4::timestamptz, 'infinity'))`;

const SCANNED = `
scanned AS MATERIALIZED (
  SELECT id FROM messages WHERE id > $1::uuid AND id < $2::uuid ORDER BY id LIMIT $5::int
)`;

// Rows that are at work right now are passed over: nothing waits for this, and this for nothing.
const LOCK = `
WITH ${SCANNED},
finished AS (
  SELECT m.id FROM messages m
  WHERE m.id = ANY(ARRAY(SELECT id FROM scanned)) AND ${FINISHED}
    AND NOT EXISTS (SELECT 1 FROM message_events e WHERE e.message_id = m.id)
  ORDER BY m.id
  FOR UPDATE OF m SKIP LOCKED
)
SELECT (SELECT count(*) FROM scanned) AS scanned,
  (SELECT id FROM scanned ORDER BY id DESC LIMIT 1) AS "lastId",
  ARRAY(SELECT id FROM finished) AS ids`;

// A statement of its own, that sees what was committed before the rows were locked: whoever changes
// a message locks its row before it writes the event, and a message with an event must stay.
const DELETE = `
DELETE FROM messages m WHERE m.id = ANY($1::uuid[])
  AND NOT EXISTS (SELECT 1 FROM message_events e WHERE e.message_id = m.id)
RETURNING id, workspace_id AS "workspaceId"`;

// What they leave of the kept counts: nothing reads a 0. Of their days only, by the key, however many
// counts there are. One that a change of an old message holds right now is passed over.
const FORGET_EMPTY_COUNTS = `
DELETE FROM message_counts c
USING (
  SELECT workspace_id, day, direction, status FROM message_counts
  WHERE n = 0 AND (workspace_id, day) IN (
    SELECT workspace_id, uuid_v7_day(id)
    FROM unnest($1::uuid[], $2::uuid[]) AS deleted(id, workspace_id))
  FOR UPDATE SKIP LOCKED
) empty
WHERE c.workspace_id = empty.workspace_id AND c.day = empty.day
  AND c.direction = empty.direction AND c.status = empty.status`;

// Of what would be left without an event once the old ones are gone.
const COUNT = `
WITH ${SCANNED}
SELECT (SELECT count(*) FROM scanned) AS scanned,
  (SELECT id FROM scanned ORDER BY id DESC LIMIT 1) AS "lastId",
  (SELECT count(*) FROM messages m
   WHERE m.id = ANY(ARRAY(SELECT id FROM scanned)) AND ${FINISHED}
     AND NOT EXISTS (
       SELECT 1 FROM message_events e WHERE e.message_id = m.id AND e.id >= $6::uuid)) AS count`;

export interface OldMessages {
  before: Date;
  /** When the oldest message was begun whose outcome is open; null when there is none. */
  openSince: Date | null;
  /** Read on from there; the lowest id at first. */
  afterId: string;
  limit: number;
}

/** What was looked at, at most `limit`, and what of it went. `lastId` null: there is no more. */
export interface OldMessagesDone {
  scanned: number;
  count: number;
  lastId: string | null;
}

/** In a transaction. */
export async function deleteOldMessages(run: Run, old: OldMessages): Promise<OldMessagesDone> {
  const [found] = await run<{ scanned: number; lastId: string | null; ids: string[] }>(
    LOCK,
    valuesOf(old),
  );
  if (found === undefined) return { scanned: 0, count: 0, lastId: null };
  const { scanned, lastId, ids } = found;
  if (ids.length === 0) return { scanned, count: 0, lastId };
  const deleted = await run<{ id: string; workspaceId: string }>(DELETE, [ids]);
  await run(FORGET_EMPTY_COUNTS, [
    deleted.map(({ id }) => id),
    deleted.map(({ workspaceId }) => workspaceId),
  ]);
  return { scanned, count: deleted.length, lastId };
}

/** The same, and deletes nothing. */
export async function countOldMessages(
  run: Run,
  old: OldMessages & { eventsBefore: Date },
): Promise<OldMessagesDone> {
  const [found] = await run<OldMessagesDone>(COUNT, [
    ...valuesOf(old),
    firstIdOf(old.eventsBefore),
  ]);
  return found ?? { scanned: 0, count: 0, lastId: null };
}

const valuesOf = (old: OldMessages): unknown[] => [
  old.afterId,
  firstIdOf(old.before),
  old.before,
  old.openSince,
  old.limit,
];
