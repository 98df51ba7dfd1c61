import type pg from 'pg';
import { createParameters } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';
import { countIn, matchCounts } from '../counts/count-parts.ts';
import { DAY_MS, splitByDay } from '../rows/day-range.ts';
import { isCountedByRow, timeRangeOf } from '../filters/match-messages.ts';
import type { MessageFilter } from '../filters/message-filter.ts';

export interface FarPage {
  /** The page starts before this time, in milliseconds, … */
  before: number;
  /** … after this number of further matching messages. */
  offset: number;
}

/** For smaller offsets, reading the messages before the page costs less than this query. */
const FAR = 1_000;

/**
 * Finds where a page far from the newest message starts, by the daily counts of the whole days before
 * it. Returns null where the counts do not help: for near pages, filters by number, error code or
 * sender, and parts of days.
 */
export async function skipDays(
  pool: pg.Pool,
  workspaceId: string,
  filter: MessageFilter,
  offset: number,
): Promise<FarPage | null> {
  if (offset < FAR || isCountedByRow(filter)) return null;
  const range = timeRangeOf(filter);
  const { days, edges } = splitByDay(range);
  if (days === null) return null;
  const { bind, toQuery } = createParameters({ workspaceId });
  const newest = range.to === null ? undefined : edges.find((edge) => edge.to === range.to);
  const newer = newest === undefined ? '0::bigint' : countIn(filter, newest, bind);
  const counted = matchCounts(filter, days, bind);
  const wanted = bind(offset);
  const [row] = await runStatement<{ day: number; skipped: number }>(
    pool,
    ...toQuery(`WITH newer AS (SELECT ${newer} AS n),
     days AS (
       SELECT day, sum(n) AS n, sum(sum(n)) OVER (ORDER BY day DESC) AS upto
       FROM all_message_counts WHERE ${counted} GROUP BY day
     )
     SELECT days.day - date '1970-01-01' AS day, (newer.n + days.upto - days.n)::bigint AS skipped
     FROM days CROSS JOIN newer
     WHERE newer.n <= ${wanted}::bigint AND newer.n + days.upto > ${wanted}::bigint
     ORDER BY days.day DESC LIMIT 1`),
  );
  if (row === undefined) return null;
  return { before: (row.day + 1) * DAY_MS, offset: offset - row.skipped };
}
