import { type Mode, WEBHOOK_HISTORY_DAYS, slotOf, startOfSlot } from '@switchboard/core';
import { START_OF_SLOT } from './take-event-numbers.ts';
import { firstIdOf } from '../rows/id-range.ts';
import { named } from '../../named-statement.ts';
import type { Run } from '../../run-statement.ts';

// The oldest events of a workspace in a slot, up to the first one that is kept. The remaining event
// numbers have no gap, so a cursor is either older than all of them or misses nothing. An event's id contains the
// time of the database, whatever other clocks show.
//
// If a workspace has webhook endpoints, the events that can be replayed and those that are still to
// be delivered are kept.
const OLD = `
horizon AS MATERIALIZED (
  SELECT first_needed_by_webhooks(:workspaceId::uuid, :slot::int) AS needed,
    CASE WHEN EXISTS (SELECT FROM webhook_endpoints WHERE workspace_id = :workspaceId::uuid)
      THEN LEAST(:beforeId::uuid, uuid_v7(now() - interval '${WEBHOOK_HISTORY_DAYS} days')) ELSE :beforeId::uuid
    END AS id
),
oldest AS MATERIALIZED (
  SELECT seq, id FROM message_events
  WHERE workspace_id = :workspaceId::uuid AND seq > :afterSeq::bigint AND seq < :endSeq::bigint ORDER BY seq LIMIT :limit::int
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
  WHERE workspace_id = :workspaceId::uuid AND seq > :afterSeq::bigint AND seq <= (SELECT max(seq) FROM old)
  RETURNING seq
)
SELECT count(*) AS count, COALESCE(max(seq), :afterSeq::bigint) AS "lastSeq" FROM deleted`;

const COUNT = `
WITH ${OLD}
SELECT count(*) AS count, COALESCE(max(seq), :afterSeq::bigint) AS "lastSeq" FROM old`;

export interface OldEvents {
  workspaceId: string;
  /** The number before the first of the events, which are numbered without a gap: see `WorkspaceWithOldEvents`. */
  afterSeq: number;
  before: Date;
  limit: number;
}

export interface WorkspaceWithOldEvents {
  workspaceId: string;
  /** Old events follow each of these numbers. */
  afterSeqs: number[];
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
  const slot = slotOf(afterSeq);
  const endSeq = slot === 0 ? Number.MAX_SAFE_INTEGER : startOfSlot(slot - 1);
  const values = { workspaceId, beforeId: firstIdOf(before), limit, afterSeq, endSeq, slot };
  const [row] = await run<OldEventsDone>(...named(sql, values));
  return row ?? { count: 0, lastSeq: afterSeq };
}

/** Selects workspaces of one mode with old data, at most `limit` by id after `afterId`. */
export interface OldDataQuery {
  mode: Mode;
  before: Date;
  afterId: string;
  limit: number;
}

/** Returns the values of a statement that lists them. */
export const toOldDataValues = ({ mode, before, afterId, limit }: OldDataQuery) => ({
  beforeId: firstIdOf(before),
  afterId,
  limit,
  isTest: mode === 'test',
});

/** Lists workspaces by id after `afterId`, with the numbers after which the oldest event is before `before`. */
export async function listWorkspacesWithOldEvents(
  run: Run,
  query: OldDataQuery,
): Promise<WorkspaceWithOldEvents[]> {
  return run(
    ...named(
      `SELECT w.id AS "workspaceId", COALESCE(
         array_agg(${START_OF_SLOT('c.slot')}::float8 ORDER BY c.slot) FILTER (WHERE e.id < :beforeId::uuid),
         '{}') AS "afterSeqs"
     FROM (
       SELECT workspace_id AS id FROM event_counters WHERE slot = 0 AND workspace_id > :afterId::uuid AND is_test_workspace(workspace_id) = :isTest::boolean
       ORDER BY workspace_id LIMIT :limit::int
     ) w
     JOIN event_counters c ON c.workspace_id = w.id
     LEFT JOIN LATERAL (
       SELECT id FROM message_events
       WHERE workspace_id = w.id AND seq > ${START_OF_SLOT('c.slot')} AND seq <= c.last_seq
       ORDER BY seq LIMIT 1
     ) e ON true
     GROUP BY w.id ORDER BY w.id`,
      toOldDataValues(query),
    ),
  );
}
