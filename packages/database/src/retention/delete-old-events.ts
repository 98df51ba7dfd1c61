import { firstIdOf } from '../messages/id-range.ts';
import type { Run } from '../run-statement.ts';

// The oldest events of a workspace, up to the first one that is kept. The remaining event numbers have
// no gap, so a cursor is either older than all of them or misses nothing. An event's id contains the
// time of the database, whatever other clocks show.
const OLD = `
oldest AS MATERIALIZED (
  SELECT seq, id FROM message_events
  WHERE workspace_id = $1::uuid AND seq > $4::bigint ORDER BY seq LIMIT $3::int
),
old AS (
  SELECT seq FROM oldest
  WHERE seq < COALESCE(
    (SELECT min(seq) FROM oldest WHERE id >= $2::uuid), 9223372036854775807)
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
  before: Date;
  /** Continue after this number; 0 in the first call. */
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
  const { workspaceId, before, afterSeq, limit } = old;
  const [row] = await run<OldEventsDone>(sql, [workspaceId, firstIdOf(before), limit, afterSeq]);
  return row ?? { count: 0, lastSeq: afterSeq };
}

/** Lists workspaces by id after `afterId`. `isOld`: the oldest event is before `before`. */
export async function listWorkspacesWithOldEvents(
  run: Run,
  query: { before: Date; afterId: string; limit: number },
): Promise<{ workspaceId: string; isOld: boolean }[]> {
  return run(
    `SELECT c.workspace_id AS "workspaceId", COALESCE(e.id < $1::uuid, false) AS "isOld"
     FROM (
       SELECT workspace_id FROM event_counters WHERE workspace_id > $2::uuid
       ORDER BY workspace_id LIMIT $3::int
     ) c
     LEFT JOIN LATERAL (
       SELECT id FROM message_events
       WHERE workspace_id = c.workspace_id ORDER BY seq LIMIT 1
     ) e ON true
     ORDER BY c.workspace_id`,
    [firstIdOf(query.before), query.afterId, query.limit],
  );
}
