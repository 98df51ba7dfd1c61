import type { DispatchHint } from '@switchboard/core';
import type pg from 'pg';
import { runStatement } from '../sql-error.ts';

// First attempts first: a message that is sent a second time has nothing left if that fails, too.
const SQL = `
SELECT id AS "messageId", workspace_id AS "workspaceId", request_id AS "requestId"
FROM messages
WHERE dispatch = 'ready' AND due_at IS NOT NULL AND workspace_id = $1::uuid
  AND (not_before IS NULL OR not_before <= now())
ORDER BY resends, id LIMIT 1`;

/** The message to send first when the workspace's provider account answers again. */
export async function findTrial(pool: pg.Pool, workspaceId: string): Promise<DispatchHint | null> {
  const [row] = await runStatement<DispatchHint>(pool, SQL, [workspaceId]);
  return row ?? null;
}
