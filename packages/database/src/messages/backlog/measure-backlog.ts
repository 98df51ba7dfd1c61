import type { Database } from '../../database.ts';
import { runStatement } from '../../run-statement.ts';

/** Messages that could be sent now and that no worker has claimed, except those of paused accounts. */
export interface Backlog {
  /** At most `MAX_COUNTED`. At that value it is a lower bound. */
  ready: number;
  /** How long the oldest of them has been waiting to be sent; 0 if there is none. */
  oldestSeconds: number;
}

export type MeasureBacklog = ReturnType<typeof createMeasureBacklog>;

/** Limits the cost to about 50 ms on a small machine. */
const MAX_COUNTED = 50_000;

// A sweeper that takes a row postpones its `due_at` by `holdMs`, so all rows that could be sent are
// within that time. This avoids reading the many rows that only wait for a later poll.
const SQL = `
SELECT count(*) AS ready,
  COALESCE(max(extract(epoch FROM now() - GREATEST(r.created_at, m.not_before))), 0)::float8
    AS "oldestSeconds"
FROM (
  SELECT m.workspace_id, m.id, m.not_before FROM due_messages m
  WHERE m.dispatch = 'ready' AND m.due_at <= now() + $1::int * interval '1 millisecond'
    AND (m.not_before IS NULL OR m.not_before <= now())
    AND m.workspace_id NOT IN (
      SELECT p.workspace_id FROM provider_accounts p GROUP BY p.workspace_id
      HAVING bool_and(
        p.refused_since IS NOT NULL OR p.failing_since IS NOT NULL OR NOT p.enabled))
  LIMIT ${MAX_COUNTED}
) m JOIN message_records r ON r.workspace_id = m.workspace_id AND r.id = m.id`;

/** Creates the measurement. `holdMs` is how long a sweeper keeps a row to itself. */
export function createMeasureBacklog({ pool }: Pick<Database, 'pool'>, holdMs: number) {
  return async (): Promise<Backlog> => {
    const [row] = await runStatement<Backlog>(pool, SQL, [holdMs]);
    return row ?? { ready: 0, oldestSeconds: 0 };
  };
}
