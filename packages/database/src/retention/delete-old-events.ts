import { WEBHOOK_HISTORY_DAYS, startOfSlot } from '@switchboard/core';
import { START_OF_SLOT } from '../message-events/take-event-numbers.ts';
import { firstIdOf } from '../messages/id-range.ts';
import type { Run } from '../run-statement.ts';

// The oldest events of a workspace in a slot, up to the first one that is kept. The remaining event
// numbers have no gap, so a cursor is either older than all of them or misses nothing. An event's id contains the
// time of the database, whatever other clocks show.
//
// If a workspace has webhook endpoints, the events that can be replayed and those that are still to
// be delivered are kept.
const OLD = `
horizon AS MATERIALIZED (
  SELECT first_needed_by_webhooks($1::uuid, $6::int) AS needed,
    CASE WHEN EXISTS (SELECT FROM webhook_endpoints WHERE workspace_id = $1::uuid)
      THEN LEAST($2::uuid, uuid_v7(now() - interval '${WEBHOOK_HISTORY_DAYS} days')) ELSE $2::uuid
    END AS id
),
oldest AS MATERIALIZED (
  SELECT seq, id FROM message_events
  WHERE workspace_id = $1::uuid AND seq > $4::bigint AND seq < $5::bigint ORDER BY seq LIMIT $3::int
),
old AS (
  SELECT seq FROM oldest
  WHERE seq < LEAST(
    (SELECT min(seq) FROM oldest, horizon WHERE oldest.id >= horizon.id),
    (SELECT needed FROM horizon), 9223372036854775807)
)`;

const DELETE = `
WITH ${OLD},
deleted AS (
  DELETE FROM message_events
  WHERE workspace_id = $1::uuid AND seq > $4::bigint AND seq <= (SELECT max(seq) FROM old)
  RETURNING seq
)
SELECT count(*) AS count, COALESCE(max(seq), $4::bigint) AS "lastSeq" FROM deleted`;

const COUNT = `
WITH ${OLD}
SELECT count(*) AS count, COALESCE(max(seq), $4::bigint) AS "lastSeq" FROM old`;

export interface OldEvents {
  workspaceId: string;
  slot: number;
  before: Date;
  /** Continue after this number; that of `startOfSlot` in the first call. */
  afterSeq: number;
  limit: number;
}

/**
 * The number of events, at most `limit`, and the last of their event numbers. Fewer than `limit` means
 * the end.
 */
export interface OldEventsDone {
  count: number;
  lastSeq: number;
}

export async function deleteOldEvents(run: Run, old: OldEvents): Promise<OldEventsDone> {
  return readOne(run, DELETE, old);
}

/** Counts the events that `deleteOldEvents` would delete. */
export async function countOldEvents(run: Run, old: OldEvents): Promise<OldEventsDone> {
  return readOne(run, COUNT, old);
}

async function readOne(run: Run, sql: string, old: OldEvents): Promise<OldEventsDone> {
  const { workspaceId, slot, before, afterSeq, limit } = old;
  const end = slot === 0 ? Number.MAX_SAFE_INTEGER : startOfSlot(slot - 1);
  const values = [workspaceId, firstIdOf(before), limit, afterSeq, end, slot];
  const [row] = await run<OldEventsDone>(sql, values);
  return row ?? { count: 0, lastSeq: afterSeq };
}

/** Lists workspaces by id after `afterId`, with the slots whose oldest event is before `before`. */
export async function listWorkspacesWithOldEvents(
  run: Run,
  query: { before: Date; afterId: string; limit: number },
): Promise<{ workspaceId: string; oldSlots: number[] }[]> {
  return run(
    `SELECT c.workspace_id AS "workspaceId",
       COALESCE(array_agg(s.slot ORDER BY s.slot) FILTER (WHERE e.id < $1::uuid), '{}') AS "oldSlots"
     FROM (
       SELECT workspace_id FROM event_counters WHERE workspace_id > $2::uuid
       ORDER BY workspace_id LIMIT $3::int
     ) c
     CROSS JOIN LATERAL (
       SELECT 0 AS slot, 0::bigint AS start, 9223372036854775807 AS "end"
       UNION ALL
       SELECT slot, ${START_OF_SLOT('slot')}, ${START_OF_SLOT('(slot - 1)')} FROM event_slots
       WHERE workspace_id = c.workspace_id
     ) s
     LEFT JOIN LATERAL (
       SELECT id FROM message_events
       WHERE workspace_id = c.workspace_id AND seq > s.start AND seq < s."end" ORDER BY seq LIMIT 1
     ) e ON true
     GROUP BY c.workspace_id ORDER BY c.workspace_id`,
    [firstIdOf(query.before), query.afterId, query.limit],
  );
}
