import type pg from 'pg';
import { createParameters } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';
import { countIn, matchCounts } from './count-parts.ts';
import { countWithBreakdowns } from './count-with-breakdowns.ts';
import { splitByDay } from '../rows/day-range.ts';
import { readsByCountry } from './reads-by-country.ts';
import { isCountedByRow, timeRangeOf } from '../filters/match-messages.ts';
import type { MessageFilter } from '../filters/message-filter.ts';

/**
 * Counts the messages of a workspace that match. A filter by days, directions and statuses alone
 * uses the stored daily counts, and one by API key, user or account those that workers store. Parts of days,
 * and all other filters, are counted row by row.
 */
export async function countMatches(
  pool: pg.Pool,
  workspaceId: string,
  filter: MessageFilter,
): Promise<number> {
  const { bind, toQuery } = createParameters({ workspaceId });
  const range = timeRangeOf(filter);
  const breakdowns = countWithBreakdowns(filter, bind);
  if (breakdowns !== null) return readTotal(pool, toQuery(breakdowns));
  const { days, edges } = isCountedByRow(filter)
    ? { days: null, edges: [range] }
    : splitByDay(range);

  const isByCountry = await readsByCountry(pool, workspaceId, filter);
  const parts = edges.map((edge) => countIn(filter, edge, bind, { isByCountry }));
  if (days !== null) {
    parts.push(
      `(SELECT COALESCE(sum(n), 0)::bigint FROM all_message_counts WHERE ${matchCounts(filter, days, bind)})`,
    );
  }
  if (parts.length === 0) return 0; // the range is empty
  return readTotal(pool, toQuery(`SELECT ${parts.join(' + ')} AS total`));
}

async function readTotal(pool: pg.Pool, query: [text: string, values: unknown[]]): Promise<number> {
  const [row] = await runStatement<{ total: number }>(pool, ...query);
  return row?.total ?? 0;
}
