import type pg from 'pg';
import { runStatement } from '../run-statement.ts';
import { type TimeRange, splitByDay } from './day-range.ts';
import {
  type Bind,
  type MessageFilter,
  isByCountry,
  isCountedByRow,
  matchAllOfCountry,
  matchMessages,
  timeRangeOf,
} from './match-messages.ts';

/**
 * Counts the messages of a workspace that match. A filter by days, directions and statuses alone
 * uses the stored daily counts. Parts of days, and filters by number, error code or sender, are
 * counted row by row.
 */
export async function countMatches(
  pool: pg.Pool,
  workspaceId: string,
  filter: MessageFilter,
): Promise<number> {
  const values: unknown[] = [workspaceId];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const range = timeRangeOf(filter);
  const { days, edges } = isCountedByRow(filter)
    ? { days: null, edges: [range] }
    : splitByDay(range);

  const parts = edges.map((edge) => countIn(filter, edge, bind));
  if (days !== null) {
    parts.push(
      `(SELECT COALESCE(sum(n), 0)::bigint FROM all_message_counts WHERE ${matchCounts(filter, days, bind)})`,
    );
  }
  if (parts.length === 0) return 0; // the range is empty
  const [row] = await runStatement<{ total: number }>(
    pool,
    `SELECT ${parts.join(' + ')} AS total`,
    values,
  );
  return row?.total ?? 0;
}

/**
 * Returns a subquery that counts the messages of a range one by one, if possible with indexes alone.
 */
export function countIn(filter: MessageFilter, range: TimeRange, bind: Bind): string {
  const match = isByCountry(filter) ? matchAllOfCountry : matchMessages;
  const counts = match(filter, range, bind).map(({ kinds, where }) =>
    kinds === ''
      ? `(SELECT count(*) FROM messages m WHERE ${where})`
      : `(SELECT COALESCE(sum(counted.n), 0)::bigint
          FROM ${kinds} LATERAL (SELECT count(*) AS n FROM messages m WHERE ${where}) counted)`,
  );
  return `(${counts.join(' + ')})`;
}

/** Returns the condition on `all_message_counts`. Days are counted from 1970. */
export function matchCounts(filter: MessageFilter, days: TimeRange, bind: Bind): string {
  const where = ['workspace_id = $1::uuid'];
  if (filter.direction) where.push(`direction = ${bind(filter.direction)}::direction`);
  if (filter.status) where.push(`status = ANY(${bind(filter.status)}::message_status[])`);
  if (days.from !== null) where.push(`day >= date '1970-01-01' + ${bind(days.from)}::int`);
  if (days.to !== null) where.push(`day < date '1970-01-01' + ${bind(days.to)}::int`);
  return where.join(' AND ');
}
