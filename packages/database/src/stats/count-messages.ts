import type { Direction, MessageStatus } from '@switchboard/core';
import type { Database } from '../database.ts';
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
  return (workspaceId: string, { interval, from, to }: CountQuery): Promise<MessageCount[]> =>
    // `created_at` is the time inside the id, so the bounds are bounds of the index on id.
    runStatement<MessageCount>(
      pool,
      `SELECT date_trunc($4, m.created_at, 'UTC') AS start, m.direction, m.status,
         count(*) AS count
       FROM messages m WHERE m.workspace_id = $1::uuid AND m.id >= $2::uuid AND m.id < $3::uuid
       GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      [workspaceId, firstIdOf(from), firstIdOf(to), interval],
    );
}
