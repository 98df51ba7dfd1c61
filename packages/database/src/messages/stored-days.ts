import { staleDays } from '../stats/breakdown.ts';
import { type Bind, type MessageFilter, valuesOf } from './match-messages.ts';

/**
 * Returns whether the stored counts are those of the sent messages that match: the filter has an API key or user or an
 * account, not both, and apart from this at most a status, a direction and a period.
 */
export function hasStoredCounts(filter: MessageFilter): boolean {
  const { sentBy, provider, direction, from, to, errorCode, countryCode } = filter;
  if (direction === 'inbound' || (from ?? to ?? errorCode ?? countryCode) !== undefined)
    return false;
  return (sentBy === undefined) !== (provider === undefined);
}

/** Received messages have an account, and no sender in the workspace. */
export const hasOnlySent = ({ direction, sentBy }: MessageFilter): boolean =>
  direction === 'outbound' || sentBy !== undefined;

/**
 * Returns tables of a statement: `stale` has the days whose stored counts are not current, and `stored`
 * has all other days with sent messages, and `n`, how many of these match; null for none.
 *
 * @param inDays a condition on the workspace and the days
 */
export function storedDays(
  { sentBy, provider, status }: MessageFilter,
  inDays: string,
  bind: Bind,
): string {
  const [dimension, values] = sentBy
    ? ['sent_by', valuesOf('sentBy', sentBy, bind)]
    : ['provider', valuesOf('provider', provider, bind)];
  const hasStatus = status ? `AND b.status = ANY(${bind(status)}::message_status[])` : '';
  // The subquery for each day reads only the values of the filter, not all values of the day.
  return `
stale AS MATERIALIZED (SELECT DISTINCT day FROM (${staleDays(inDays)}) changed),
days AS MATERIALIZED (
  SELECT DISTINCT day FROM all_message_counts WHERE direction = 'outbound' AND ${inDays}
  EXCEPT SELECT day FROM stale
),
stored AS (
  SELECT days.day, counted.n FROM days CROSS JOIN LATERAL (
    SELECT sum(b.n) AS n FROM message_breakdowns b
    WHERE b.workspace_id = $1::uuid AND b.day = days.day AND b.dimension = '${dimension}'
      AND b.value = ANY((${values})::text[]) ${hasStatus}
  ) counted
)`;
}
