import type pg from 'pg';
import { runStatement } from '../sql-error.ts';
import { splitByDay } from './day-range.ts';
import { firstIdOf } from './id-range.ts';
import { type MessageFilter, timeRangeOf } from './message-filter.ts';

/**
 * How many of a workspace's messages match. What only asks for days, directions and statuses adds
 * up the counts that are kept; parts of days, and messages of one number, are counted.
 */
export async function countMatches(
  pool: pg.Pool,
  workspaceId: string,
  filter: MessageFilter,
): Promise<number> {
  const values: unknown[] = [workspaceId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const common = ['workspace_id = $1::uuid'];
  if (filter.direction) common.push(`direction = ${bind(filter.direction)}::direction`);
  if (filter.status) common.push(`status = ${bind(filter.status)}::message_status`);

  const isByNumber = filter.from !== undefined || filter.to !== undefined;
  const range = timeRangeOf(filter);
  const { days, edges } = isByNumber ? { days: null, edges: [range] } : splitByDay(range);

  const parts = edges.map(({ from, to }) => {
    const where = [...common];
    if (filter.from !== undefined) where.push(`"from" = ${bind(filter.from)}`);
    if (filter.to !== undefined) where.push(`"to" = ${bind(filter.to)}`);
    // `created_at` is the time inside the id, so the bounds are bounds of the index on id.
    if (from !== null) where.push(`id >= ${bind(firstIdOf(new Date(from)))}::uuid`);
    if (to !== null) where.push(`id < ${bind(firstIdOf(new Date(to)))}::uuid`);
    return `(SELECT count(*) FROM messages WHERE ${where.join(' AND ')})`;
  });
  if (days !== null) {
    const where = [...common];
    if (days.from !== null) where.push(`day >= date '1970-01-01' + ${bind(days.from)}::int`);
    if (days.to !== null) where.push(`day < date '1970-01-01' + ${bind(days.to)}::int`);
    parts.push(
      `(SELECT COALESCE(sum(n), 0)::bigint FROM message_counts WHERE ${where.join(' AND ')})`,
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
