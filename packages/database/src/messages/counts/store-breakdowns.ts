import type { Database } from '../../database.ts';
import { runStatement } from '../../run-statement.ts';
import { breakDown, firstIdOfDay, staleDays } from './breakdown.ts';

/** How many days one query finds. */
const DAYS = 20;

// Messages are stored at most a few minutes after the time in their id.
const FIND = `
SELECT DISTINCT workspace_id AS "workspaceId", day::text AS day FROM (
  ${staleDays(`day < ((now() - interval '1 hour') AT TIME ZONE 'UTC')::date`)}
) changed ORDER BY day DESC LIMIT ${DAYS}`;

// Another worker may count the same day at this moment: one of them is enough.
const STORE = `
WITH turn AS MATERIALIZED (
  SELECT pg_try_advisory_xact_lock(hashtextextended('breakdown ' || $1::uuid || $2::date, 0)) AS is_own
),
fresh AS MATERIALIZED (${breakDown(
  'messages m',
  `m.workspace_id = $1::uuid AND m.id >= ${firstIdOfDay('$2::date')} AND m.id < ${firstIdOfDay('($2::date + 1)')}
     AND (SELECT is_own FROM turn)`,
)}),
gone AS (
  DELETE FROM message_breakdowns b
  WHERE b.workspace_id = $1::uuid AND b.day = $2::date AND (SELECT is_own FROM turn) AND NOT EXISTS (
    SELECT FROM fresh f
    WHERE f.dimension = b.dimension AND f.value = b.value AND f.status = b.status)
),
-- A change that commits after the start of this statement is not in the counts, and its row stays.
recounted AS (
  DELETE FROM message_recounts r
  WHERE r.workspace_id = $1::uuid AND r.day = $2::date AND (SELECT is_own FROM turn)
)
INSERT INTO message_breakdowns AS b (workspace_id, day, dimension, value, status, n)
SELECT $1::uuid, $2::date, dimension, value, status, n FROM fresh ORDER BY 3, 4, 5
ON CONFLICT (workspace_id, day, dimension, value, status) DO UPDATE SET n = excluded.n
WHERE b.n <> excluded.n`;

/**
 * Creates the function that stores the counts of past days by country, sender, account and person, which the
 * overview adds up. A day whose messages have changed since is counted again.
 *
 * The function returns whether there is more to do when the time is over.
 */
export function createStoreBreakdowns({ pool }: Pick<Database, 'pool'>) {
  return async function storeBreakdowns(budgetMs: number): Promise<boolean> {
    const startedAt = performance.now();
    for (;;) {
      const days = await runStatement<{ workspaceId: string; day: string }>(pool, FIND, []);
      for (const { workspaceId, day } of days) {
        if (performance.now() - startedAt >= budgetMs) return true;
        await runStatement(pool, STORE, [workspaceId, day]);
      }
      if (days.length < DAYS) return false;
    }
  };
}
