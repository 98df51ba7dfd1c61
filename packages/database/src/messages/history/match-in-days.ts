import { timeOfUuidV7 } from '@switchboard/core';
import { firstIdOfDay } from '../counts/breakdown.ts';
import { matchCounts } from '../counts/count-parts.ts';
import { DAY_MS, type TimeRange } from '../rows/day-range.ts';
import { MAX_ID, MIN_ID } from '../rows/id-range.ts';
import { type Match, matchMessages } from '../filters/match-messages.ts';
import type { MessageFilter } from '../filters/message-filter.ts';
import { hasOnlySent, storedDays } from '../counts/stored-days.ts';
import { type Bind } from '../../named-statement.ts';

/**
 * Days without current counts are read whole. If there are more than this, as before workers count for the first time, all
 * days are read together instead, and only as far as needed.
 */
const UNCOUNTED = 10;

/**
 * Returns the parts of a statement that finds at least the newest `limit` matches, for a filter with stored counts. It
 * reads the sent messages of the newest days that have so many, without the days that have none. A day without current
 * counts is read, and counts as one that may have none.
 */
export function matchInDays(
  filter: MessageFilter,
  { range, beforeId }: { range: TimeRange; beforeId: string | null },
  bind: Bind,
  limit: number,
): { tables: string; matches: Match[] } {
  const end = Math.min(
    range.to ?? Number.POSITIVE_INFINITY,
    beforeId === null ? Number.POSITIVE_INFINITY : timeOfUuidV7(beforeId),
  );
  const lastDay = Number.isFinite(end) ? Math.floor(end / DAY_MS) : null;
  const inDays = matchCounts(
    {},
    {
      from: range.from === null ? null : Math.floor(range.from / DAY_MS),
      to: lastDay === null ? null : lastDay + 1,
    },
    bind,
  );
  // The page may not include all messages of the last day.
  const isWhole = lastDay === null ? 'true' : `day < date '1970-01-01' + ${bind(lastDay)}::int`;
  const tables = `
${storedDays(filter, inDays, bind)},
newest AS MATERIALIZED (
  SELECT day, n FROM (
    SELECT day, n, sum(n) OVER (ORDER BY day DESC) - n AS newer FROM (
      SELECT day, CASE WHEN ${isWhole} THEN n ELSE 0 END AS n FROM stored WHERE n > 0
      UNION ALL SELECT day, 0 FROM stale
    ) possible
  ) added WHERE newer < ${limit}
),
uncounted AS MATERIALIZED (SELECT count(*) > ${UNCOUNTED} AS "areMany" FROM newest WHERE n = 0),
ranges AS MATERIALIZED (
  SELECT ${firstIdOfDay('day')} AS "from", ${firstIdOfDay('day + 1')} AS "to" FROM newest
  WHERE NOT (SELECT "areMany" FROM uncounted)
  UNION ALL SELECT '${MIN_ID}', '${MAX_ID}' FROM uncounted WHERE "areMany"
),
received AS MATERIALIZED (
  SELECT CASE WHEN n >= ${limit} THEN ${firstIdOfDay('day')} ELSE '${MIN_ID}'::uuid END AS "from", '${MAX_ID}'::uuid AS "to"
  FROM (SELECT min(day) AS day, sum(n) AS n FROM newest) read
)`;
  const readIn = (direction: 'outbound' | 'inbound', within: string): Match[] =>
    matchMessages({ ...filter, direction }, range, bind, { beforeId, within });
  return {
    tables,
    matches: [
      ...readIn('outbound', 'ranges'),
      // Received messages have no stored counts. No page has those that are older than `limit` sent ones.
      ...(hasOnlySent(filter) ? [] : readIn('inbound', 'received')),
    ],
  };
}
