import type { Direction, MessageStatus } from '@switchboard/core';
import type { Database } from '../../database.ts';
import { SOURCES } from '../filters/choose-indexes.ts';
import { DAY_MS } from '../rows/day-range.ts';
import { firstIdOf } from '../rows/id-range.ts';
import { named } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';

export interface CountQuery {
  interval: 'hour' | 'day';
  /** The start of each interval, in order. The first is at or before `from`. */
  starts: readonly Date[];
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
}

export interface MessageCount {
  /** The index of the interval, counted from 0. */
  index: number;
  direction: Direction;
  status: MessageStatus;
  count: number;
}

/** A range of ids of both tables is read without a join for each message. */
const STATUSES = `(
  SELECT workspace_id, id, direction, status FROM message_records WHERE status IS NOT NULL
  UNION ALL SELECT workspace_id, id, direction, status FROM ${SOURCES.inProgress} p)`;

export type CountMessages = ReturnType<typeof createCountMessages>;

/** Counts a workspace's messages by interval, direction and status, without zeros. */
export function createCountMessages({ pool }: Pick<Database, 'pool'>) {
  return (workspaceId: string, query: CountQuery): Promise<MessageCount[]> =>
    query.interval === 'day'
      ? countDays(pool, workspaceId, query)
      : countHours(pool, workspaceId, query);
}

// `created_at` is the time in the id, so these are bounds of the indexes on the id.
const COUNT_HOURS = `SELECT width_bucket(m.id, :starts::uuid[]) - 1 AS index, m.direction, m.status,
     count(*) AS count
   FROM ${STATUSES} m
   WHERE m.workspace_id = :workspaceId::uuid AND m.id >= :from::uuid AND m.id < :to::uuid
   GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

function countHours(
  pool: Database['pool'],
  workspaceId: string,
  { starts, from, to }: CountQuery,
): Promise<MessageCount[]> {
  return runStatement<MessageCount>(
    pool,
    ...named(COUNT_HOURS, {
      workspaceId,
      from: firstIdOf(from),
      to: firstIdOf(to),
      starts: starts.map(firstIdOf),
    }),
  );
}

const COUNT_DAYS = `WITH kept AS (
     SELECT width_bucket(c.day, :midnights::date[]) - 1 AS index, c.direction, c.status, c.n
     FROM all_message_counts c
     WHERE c.workspace_id = :workspaceId::uuid AND c.day >= (:midnights::date[])[1]
       AND c.day < (:midnights::date[])[array_upper(:midnights::date[], 1)]
   ), sliced AS (
     SELECT s.index, s.taken_from, m.direction, m.status, m.n
     FROM unnest(:sliceStarts::uuid[], :sliceEnds::uuid[], :indexes::int[], :takenFrom::int[])
         s("from", "to", index, taken_from),
       LATERAL (
         SELECT m.direction, m.status, count(*) AS n FROM ${STATUSES} m
         WHERE m.workspace_id = :workspaceId::uuid AND m.id >= s."from" AND m.id < s."to"
         GROUP BY 1, 2
       ) m
   )
   SELECT index, direction, status, sum(n)::bigint AS count
   FROM (
     SELECT index, direction, status, n FROM kept
     UNION ALL SELECT index, direction, status, n FROM sliced
     UNION ALL SELECT taken_from, direction, status, -n FROM sliced
   ) counted
   WHERE index >= 0 AND index < :intervals::int
   GROUP BY 1, 2, 3 HAVING sum(n) <> 0 ORDER BY 1, 2, 3`;

/**
 * Counts by local days. The stored counts are by UTC days, and a local day may start at another time.
 * So an interval is the sum of the UTC days between its bounds, each moved to the nearest midnight
 * (UTC). The messages between each bound and its midnight are counted and moved to the other interval:
 * for Berlin, an hour of each day.
 */
function countDays(
  pool: Database['pool'],
  workspaceId: string,
  { starts, from, to }: CountQuery,
): Promise<MessageCount[]> {
  const bounds = [from, ...starts.slice(1), to].map((at) => at.getTime());
  const midnights = bounds.map((at) => Math.round(at / DAY_MS) * DAY_MS);
  const slices = bounds.flatMap((bound, index) => {
    const midnight = midnights[index] ?? bound;
    if (bound === midnight) return [];
    const isBefore = bound < midnight;
    return [
      {
        from: firstIdOf(new Date(Math.min(bound, midnight))),
        to: firstIdOf(new Date(Math.max(bound, midnight))),
        // Messages before the midnight belong to the interval that starts at the bound.
        index: isBefore ? index : index - 1,
        takenFrom: isBefore ? index - 1 : index,
      },
    ];
  });
  return runStatement<MessageCount>(
    pool,
    ...named(COUNT_DAYS, {
      workspaceId,
      midnights: midnights.map((at) => new Date(at).toISOString().slice(0, 10)),
      sliceStarts: slices.map((slice) => slice.from),
      sliceEnds: slices.map((slice) => slice.to),
      indexes: slices.map((slice) => slice.index),
      takenFrom: slices.map((slice) => slice.takenFrom),
      intervals: starts.length,
    }),
  );
}
