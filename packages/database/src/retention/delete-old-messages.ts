import { type OldDataQuery, toOldDataValues } from '../messages/events/delete-old-events.ts';
import { firstIdOf } from '../messages/rows/id-range.ts';
import { named } from '../named-statement.ts';
import type { Run } from '../run-statement.ts';

/**
 * How long after its last change a message is kept if the provider has reported no final status, or
 * nothing at all, because evidence may be late.
 */
const LATE_EVIDENCE_DAYS = 30;

// Finished: the record has the state, so nothing is due, there is no open claim, hold or schedule, and no further status
// is expected. A message is also kept if its first attempt began no earlier than that of the oldest
// open message: open messages are looked up in the provider's list, and each message in that list
// must have its row.
const FINISHED = `
  m.dispatch IN ('accepted', 'rejected', 'canceled', 'unresolved')
  AND (m.scheduled_at IS NULL OR m.scheduled_at < :before::timestamptz)
  AND (m.dispatch <> 'unresolved'
      AND m.status IN ('canceled', 'failed', 'undelivered', 'delivered', 'received', 'read')
    OR m.updated_at < now() - interval '${LATE_EVIDENCE_DAYS} days')
  AND (m.started_at IS NULL OR m.started_at < COALESCE(:openSince::timestamptz, 'infinity'))`;

const EVENT_OF_MESSAGE = `
  SELECT 1 FROM message_events e WHERE e.workspace_id = m.workspace_id AND e.message_id = m.id`;

const SCANNED = `
scanned AS MATERIALIZED (
  SELECT id FROM message_records
  WHERE workspace_id = :workspaceId::uuid AND id > :afterId::uuid AND id < :beforeId::uuid ORDER BY id LIMIT :limit::int
)`;

// Rows in use are skipped, so that there are no waits on either side.
const LOCK = `
WITH ${SCANNED},
finished AS (
  SELECT m.id FROM message_records m
  WHERE m.workspace_id = :workspaceId::uuid AND m.id = ANY(ARRAY(SELECT id FROM scanned)) AND ${FINISHED}
    AND NOT EXISTS (${EVENT_OF_MESSAGE})
  ORDER BY m.id
  FOR UPDATE OF m SKIP LOCKED
)
SELECT (SELECT count(*) FROM scanned) AS scanned,
  (SELECT id FROM scanned ORDER BY id DESC LIMIT 1) AS "lastId",
  ARRAY(SELECT id FROM finished) AS ids`;

// A separate statement, which sees everything that was committed before the rows were locked: a change
// of a message locks its row before it writes the event, and a message with an event must stay.
const DELETE = `
DELETE FROM message_records m WHERE m.workspace_id = $1::uuid AND m.id = ANY($2::uuid[])
  AND NOT EXISTS (${EVENT_OF_MESSAGE})
RETURNING id`;

// Deletes counts that became 0, because they are not read. Only the days of the deleted messages are
// searched, by key, so the cost does not depend on the number of counts. Counts that are locked by a
// change of an old message are skipped.
const DELETE_EMPTY_COUNTS = `
DELETE FROM message_counts c
USING (
  SELECT workspace_id, day, direction, status FROM message_counts
  WHERE n = 0 AND workspace_id = $1::uuid AND day IN (
    SELECT uuid_v7_day(id) FROM unnest($2::uuid[]) AS deleted(id))
  FOR UPDATE SKIP LOCKED
) empty
WHERE c.workspace_id = empty.workspace_id AND c.day = empty.day
  AND c.direction = empty.direction AND c.status = empty.status`;

// Counts the messages that would have no event after the deletion of old events.
const COUNT = `
WITH ${SCANNED}
SELECT (SELECT count(*) FROM scanned) AS scanned,
  (SELECT id FROM scanned ORDER BY id DESC LIMIT 1) AS "lastId",
  (SELECT count(*) FROM message_records m
   WHERE m.workspace_id = :workspaceId::uuid AND m.id = ANY(ARRAY(SELECT id FROM scanned)) AND ${FINISHED}
     AND NOT EXISTS (${EVENT_OF_MESSAGE} AND e.id >= :eventsBeforeId::uuid)) AS count`;

export interface OldMessages {
  workspaceId: string;
  before: Date;
  /**
   * When the first attempt of the oldest message with an open outcome started; null if there is none.
   */
  openSince: Date | null;
  /** Continue after this id; the lowest id in the first call. */
  afterId: string;
  limit: number;
}

/** The number of messages that were read, at most `limit`, and deleted. `lastId` is null at the end. */
export interface OldMessagesDone {
  scanned: number;
  count: number;
  lastId: string | null;
}

/** Deletes old messages. Requires a transaction. */
export async function deleteOldMessages(run: Run, old: OldMessages): Promise<OldMessagesDone> {
  const [found] = await run<{ scanned: number; lastId: string | null; ids: string[] }>(
    ...named(LOCK, valuesOf(old)),
  );
  if (found === undefined) return { scanned: 0, count: 0, lastId: null };
  const { scanned, lastId, ids } = found;
  if (ids.length === 0) return { scanned, count: 0, lastId };
  const deleted = await run<{ id: string }>(DELETE, [old.workspaceId, ids]);
  await run(DELETE_EMPTY_COUNTS, [old.workspaceId, deleted.map(({ id }) => id)]);
  return { scanned, count: deleted.length, lastId };
}

/** Counts the messages that `deleteOldMessages` would delete. */
export async function countOldMessages(
  run: Run,
  old: OldMessages & { eventsBefore: Date },
): Promise<OldMessagesDone> {
  const values = { ...valuesOf(old), eventsBeforeId: firstIdOf(old.eventsBefore) };
  const [found] = await run<OldMessagesDone>(...named(COUNT, values));
  return found ?? { scanned: 0, count: 0, lastId: null };
}

const valuesOf = (old: OldMessages) => ({ ...old, beforeId: firstIdOf(old.before) });

/** Finds the oldest message of the next workspace with one index lookup. */
const OLDEST_MESSAGE_AFTER = (workspaceId: string): string => `
  SELECT m.workspace_id, m.id FROM message_records m WHERE m.workspace_id > ${workspaceId}
  ORDER BY m.workspace_id, m.id LIMIT 1`;

/** Lists workspaces by id after `afterId` that have messages before `before`. */
export function listWorkspacesWithOldMessages(
  run: Run,
  query: OldDataQuery,
): Promise<{ workspaceId: string }[]> {
  return run(
    ...named(
      `WITH RECURSIVE oldest AS (
       (${OLDEST_MESSAGE_AFTER(':afterId::uuid')})
       UNION ALL
       SELECT next.* FROM oldest o, LATERAL (${OLDEST_MESSAGE_AFTER('o.workspace_id')}) next
     )
     SELECT workspace_id AS "workspaceId" FROM oldest
     WHERE id < :beforeId::uuid AND is_test_workspace(workspace_id) = :isTest::boolean LIMIT :limit::int`,
      toOldDataValues(query),
    ),
  );
}
