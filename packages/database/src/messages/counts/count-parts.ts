import type { TimeRange } from '../rows/day-range.ts';
import { matchAllOfCountry, matchMessages } from '../filters/match-messages.ts';
import type { MessageFilter } from '../filters/message-filter.ts';
import { type Bind } from '../../named-statement.ts';

/**
 * Returns a subquery that counts the messages of a range one by one, if possible with indexes alone.
 *
 * @param options.within a table of the statement with ranges of ids, to count only the messages in these
 * @param options.isByCountry whether to read the indexes of numbers
 */
export function countIn(
  filter: MessageFilter,
  range: TimeRange,
  bind: Bind,
  { within, isByCountry = false }: { within?: string; isByCountry?: boolean } = {},
): string {
  const match = isByCountry ? matchAllOfCountry : matchMessages;
  const bounds = within === undefined ? {} : { within };
  const counts = match(filter, range, bind, bounds).map((part) =>
    part.kinds === ''
      ? `(SELECT count(*) FROM ${part.from})`
      : `(SELECT COALESCE(sum(counted.n), 0)::bigint
          FROM ${part.kinds} LATERAL (SELECT count(*) AS n FROM ${part.from}) counted)`,
  );
  return `(${counts.join(' + ')})`;
}

/** Returns the condition on `all_message_counts`. Days are counted from 1970. */
export function matchCounts(filter: MessageFilter, days: TimeRange, bind: Bind): string {
  const where = ['workspace_id = :workspaceId::uuid'];
  if (filter.direction) where.push(`direction = ${bind(filter.direction)}::direction`);
  if (filter.status) where.push(`status = ANY(${bind(filter.status)}::message_status[])`);
  if (days.from !== null) where.push(`day >= date '1970-01-01' + ${bind(days.from)}::int`);
  if (days.to !== null) where.push(`day < date '1970-01-01' + ${bind(days.to)}::int`);
  return where.join(' AND ');
}
