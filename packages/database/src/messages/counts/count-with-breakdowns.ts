import { firstIdOfDay } from './breakdown.ts';
import { countIn, matchCounts } from './count-parts.ts';
import { splitByDay } from '../rows/day-range.ts';
import { firstIdOf } from '../rows/id-range.ts';
import { timeRangeOf } from '../filters/match-messages.ts';
import type { MessageFilter } from '../filters/message-filter.ts';
import { hasOnlySent, hasStoredCounts, storedDays } from './stored-days.ts';
import { type Bind } from '../../named-statement.ts';

const ALL = { from: null, to: null };

/**
 * Returns a statement that adds up the stored counts of the days for which they are current. It counts received
 * messages, and the sent messages of all other days, one by one. Returns null for a filter that the stored
 * counts do not cover, and for a combination of two filters that they cover.
 */
export function countWithBreakdowns(filter: MessageFilter, bind: Bind): string | null {
  if (!hasStoredCounts(filter)) return null;
  const range = timeRangeOf(filter);
  const { days, edges } = splitByDay(range);
  if (days === null) return null;

  const stored = storedDays(filter, matchCounts({}, days, bind), bind);
  const starts = bind(edges.map((edge) => firstIdOf(new Date(edge.from))));
  const ends = bind(edges.map((edge) => firstIdOf(new Date(edge.to))));
  const sent = countIn({ ...filter, direction: 'outbound' }, ALL, bind, { within: 'ranges' });
  const received = hasOnlySent(filter)
    ? '0'
    : countIn({ ...filter, direction: 'inbound' }, range, bind);
  return `
WITH ${stored},
ranges AS MATERIALIZED (
  SELECT ${firstIdOfDay('day')} AS "from", ${firstIdOfDay('day + 1')} AS "to" FROM stale
  UNION ALL SELECT * FROM unnest(${starts}::uuid[], ${ends}::uuid[])
)
SELECT COALESCE(sum(stored.n), 0)::bigint + ${sent} + ${received} AS total FROM stored`;
}
