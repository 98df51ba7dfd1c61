import type { Database } from '../database.ts';
import { runStatement } from '../sql-error.ts';

/** Messages that could be sent now and that no worker has claimed; those of paused accounts can't. */
export interface Backlog {
  /** Counted to `MOST` rows: above it, a lower bound. */
  ready: number;
  /** For how long the oldest of them could have been sent; 0 when there is none. */
  oldestSeconds: number;
}

export type MeasureBacklog = ReturnType<typeof createMeasureBacklog>;

/** A bound for the cost: some 50 ms on a machine of the smaller kind. */
const MOST = 50_000;

// A sweeper that takes a row moves its `due_at` by `holdMs`, so none that could be sent is beyond
// that; which spares reading the many that are only polled, later.
const SQL = `
SELECT count(*) AS ready,
  COALESCE(max(extract(epoch FROM now() - GREATEST(created_at, not_before))), 0)::float8
    AS "oldestSeconds"
FROM (
  SELECT m.created_at, m.not_before FROM messages m
  WHERE m.dispatch = 'ready' AND m.due_at <= now() + $1::int * interval '1 millisecond'
    AND (m.not_before IS NULL OR m.not_before <= now())
    AND m.workspace_id NOT IN (
      SELECT p.workspace_id FROM provider_configurations p
      WHERE p.refused_since IS NOT NULL OR p.failing_since IS NOT NULL)
  LIMIT ${MOST}
) owed`;

/** `holdMs` is for how long a sweeper keeps a row to itself. */
export function createMeasureBacklog({ pool }: Pick<Database, 'pool'>, holdMs: number) {
  return async (): Promise<Backlog> => {
    const [row] = await runStatement<Backlog>(pool, SQL, [holdMs]);
    return row ?? { ready: 0, oldestSeconds: 0 };
  };
}
