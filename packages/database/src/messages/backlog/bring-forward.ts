import type pg from 'pg';
import { DUE_NOW } from '../../due-now.ts';
import { isNew } from './is-new.ts';
import { runStatement } from '../../run-statement.ts';

// The other messages follow when they are due.
const MAX_PER_WORKSPACE = 5_000;

const SQL = `
WITH picked AS (
  SELECT w.id AS workspace_id, m.id FROM unnest($1::uuid[]) AS w(id), unnest('{t,f}'::bool[]) AS k(is_new), LATERAL (
    SELECT m.id FROM due_messages m
    WHERE m.dispatch = 'ready' AND m.workspace_id = w.id
      AND ${isNew('m')} = k.is_new
      AND m.due_at > now() + $2::int * interval '1 millisecond'
      AND (m.not_before IS NULL OR m.not_before <= now())
    ORDER BY m.due_at LIMIT ${MAX_PER_WORKSPACE}
    FOR UPDATE SKIP LOCKED
  ) m
)
UPDATE message_progress m SET due_at = ${DUE_NOW} + $2::int * interval '1 millisecond'
FROM picked WHERE m.workspace_id = picked.workspace_id AND m.id = picked.id`;

/**
 * Makes messages due in `inMs` that would otherwise wait until the sweeper takes them again, although
 * they can be sent because the pause of one of their accounts has just ended.
 *
 * @param inMs must be longer than the time for which a worker may still treat the account as paused
 */
export async function bringForward(
  pool: pg.Pool,
  workspaceIds: readonly string[],
  inMs: number,
): Promise<void> {
  await runStatement(pool, SQL, [workspaceIds, inMs]);
}
