import { firstIdOfDay, staleDays } from '../stats/breakdown.ts';
import { countIn, matchCounts } from './count-parts.ts';
import { splitByDay } from './day-range.ts';
import { firstIdOf } from './id-range.ts';
import { type Bind, type MessageFilter, timeRangeOf, valuesOf } from './match-messages.ts';

const ALL = { from: null, to: null };

/**
 * Returns a statement that adds up the stored counts of the days for which they are current. It counts received
 * messages, and the sent messages of all other days, one by one. Returns null for a filter that the stored
 * counts do not cover, and for a combination of two filters that they cover.
 */
export function countWithBreakdowns(filter: MessageFilter, bind: Bind): string | null {
  const { sentBy, provider, status, direction, from, to, errorCode, countryCode } = filter;
  if (direction === 'inbound' || (from ?? to ?? errorCode ?? countryCode) !== undefined)
    return null;
  if ((sentBy === undefined) === (provider === undefined)) return null;
  const range = timeRangeOf(filter);
  const { days, edges } = splitByDay(range);
  if (days === null) return null;

  const inDays = matchCounts({}, days, bind);
  const starts = bind(edges.map((edge) => firstIdOf(new Date(edge.from))));
  const ends = bind(edges.map((edge) => firstIdOf(new Date(edge.to))));
  const [dimension, values] = sentBy
    ? ['sent_by', valuesOf('sentBy', sentBy, bind)]
    : ['provider', valuesOf('provider', provider, bind)];
  const hasStatus = status ? `AND b.status = ANY(${bind(status)}::message_status[])` : '';
  const sent = countIn({ ...filter, direction: 'outbound' }, ALL, bind, 'ranges');
  // Received messages have an account, and no sender in the workspace.
  const isOnlySent = direction === 'outbound' || sentBy !== undefined;
  const received = isOnlySent ? '0' : countIn({ ...filter, direction: 'inbound' }, range, bind);
  // The subquery for each day reads only the values of the filter, not all values of the day.
  return `
WITH stale AS MATERIALIZED (SELECT DISTINCT day FROM (${staleDays(inDays)}) changed),
ranges AS MATERIALIZED (
  SELECT ${firstIdOfDay('day')} AS "from", ${firstIdOfDay('day + 1')} AS "to" FROM stale
  UNION ALL SELECT * FROM unnest(${starts}::uuid[], ${ends}::uuid[])
),
days AS MATERIALIZED (
  SELECT DISTINCT day FROM all_message_counts WHERE direction = 'outbound' AND ${inDays}
  EXCEPT SELECT day FROM stale
),
stored AS (
  SELECT COALESCE(sum(counted.n), 0)::bigint AS n FROM days CROSS JOIN LATERAL (
    SELECT sum(b.n) AS n FROM message_breakdowns b
    WHERE b.workspace_id = $1::uuid AND b.day = days.day AND b.dimension = '${dimension}'
      AND b.value = ANY((${values})::text[]) ${hasStatus}
  ) counted
)
SELECT stored.n + ${sent} + ${received} AS total FROM stored`;
}
