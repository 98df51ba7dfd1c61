import { staleDays } from './breakdown.ts';
import { valuesOf } from '../filters/match-messages.ts';
import type { MessageFilter } from '../filters/message-filter.ts';
import { type Bind } from '../../named-statement.ts';

/**
 * Returns whether the stored counts are those of the sent messages that match: the filter has an API key or user or an
 * account, not both, and apart from this at most a status, a direction and a period.
 */
export function hasStoredCounts(filter: MessageFilter): boolean {
  const { sentBy, provider, direction, from, to, errorCode, countryCode, reference } = filter;
  if (direction === 'inbound') return false;
  if ((from ?? to ?? errorCode ?? countryCode ?? reference) !== undefined) return false;
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
export function storedDays(filter: MessageFilter, inDays: string, bind: Bind): string {
  return `
stale AS MATERIALIZED (SELECT DISTINCT day FROM (${staleDays(inDays)}) changed),
days AS MATERIALIZED (
  SELECT DISTINCT day FROM all_message_counts WHERE direction = 'outbound' AND ${inDays}
  EXCEPT SELECT day FROM stale
),
stored AS (
  SELECT days.day, counted.n FROM days CROSS JOIN LATERAL (${countStored(filter, bind)}) counted
)`;
}

/**
 * Returns a subquery of `n`, the stored count of the day `days.day` for one of these filters or none, even with a status; null
 * if there is no count. For each day it reads only the values of the filter, not all values of the day.
 */
export function countStored(
  { sentBy, provider, countryCode, status }: MessageFilter,
  bind: Bind,
): string {
  const [dimension, values] = sentBy
    ? ['sent_by', valuesOf('sentBy', sentBy, bind)]
    : provider
      ? ['provider', valuesOf('provider', provider, bind)]
      : countryCode
        ? ['country_code', `${bind(countryCode)}::text[]`]
        : ['all', `ARRAY['']`];
  const hasStatus = status ? `AND b.status = ANY(${bind(status)}::message_status[])` : '';
  return `
    SELECT sum(b.n) AS n FROM message_breakdowns b
    WHERE b.workspace_id = :workspaceId::uuid AND b.day = days.day AND b.dimension = '${dimension}'
      AND b.value = ANY((${values})::text[]) ${hasStatus}`;
}
