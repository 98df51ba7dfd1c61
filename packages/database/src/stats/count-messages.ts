import type { Direction, MessageStatus } from '@switchboard/core';
import type { Database } from '../database.ts';
import { splitByDay } from '../messages/day-range.ts';
import { firstIdOf } from '../messages/id-range.ts';
import { runStatement } from '../sql-error.ts';

export interface CountQuery {
  interval: 'hour' | 'day';
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
}

export interface MessageCount {
  /** Of the interval, in UTC. */
  start: Date;
  direction: Direction;
  status: MessageStatus;
  count: number;
}

export type CountMessages = ReturnType<typeof createCountMessages>;

/** A workspace's messages by interval, direction and status; only what there is. */
export function createCountMessages({ pool }: Pick<Database, 'pool'>) {
  return (workspaceId: string, { interval, from, to }: CountQuery): Promise<MessageCount[]> => {
    const range = { from: from.getTime(), to: to.getTime() };
    // Whole days are counted already.
    const { days, edges } = interval === 'day' ? splitByDay(range) : { days: null, edges: [range] };
    const values: unknown[] = [workspaceId];
    const bind = (value: unknown): string => `$${values.push(value)}`;

    // `created_at` is the time inside the id, so the bounds are bounds of the index on id.
    const parts = edges.map(
      (edge) => `
        SELECT date_trunc(${bind(interval)}, m.created_at, 'UTC') AS start, m.direction, m.status, count(*) AS n
        FROM messages m WHERE m.workspace_id = $1::uuid
          AND m.id >= ${bind(firstIdOf(new Date(edge.from)))}::uuid
          AND m.id < ${bind(firstIdOf(new Date(edge.to)))}::uuid
        GROUP BY 1, 2, 3`,
    );
    if (days !== null) {
      parts.push(`
        SELECT c.day::timestamp AT TIME ZONE 'UTC' AS start, c.direction, c.status, c.n
        FROM message_counts c WHERE c.workspace_id = $1::uuid AND c.n > 0
          AND c.day >= date '1970-01-01' + ${bind(days.from)}::int
          AND c.day < date '1970-01-01' + ${bind(days.to)}::int`);
    }
    return runStatement<MessageCount>(
      pool,
      `SELECT start, direction, status, n AS count FROM (${parts.join(' UNION ALL ')}) counted
       ORDER BY 1, 2, 3`,
      values,
    );
  };
}
