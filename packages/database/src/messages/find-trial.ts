import type { DispatchHint } from '@switchboard/core';
import type pg from 'pg';
import { runStatement } from '../run-statement.ts';

const COLUMNS = `id AS "messageId", workspace_id AS "workspaceId", request_id AS "requestId"`;
const READY = `dispatch = 'ready' AND due_at IS NOT NULL AND workspace_id = $1::uuid`;
const IS_NEW = `(dispatch = 'ready' AND attempt = 0 AND scheduled_at IS NULL)`;

// First attempts come first, because a message that is sent a second time has no resend left.
const SQL = `
(SELECT ${COLUMNS} FROM messages WHERE ${READY} AND ${IS_NEW} ORDER BY due_at LIMIT 1)
UNION ALL
(SELECT ${COLUMNS} FROM messages WHERE ${READY} AND NOT ${IS_NEW} AND not_before <= now()
  ORDER BY resends, due_at LIMIT 1)
LIMIT 1`;

/** Finds the message to send first when the workspace's provider account works again. */
export async function findTrial(pool: pg.Pool, workspaceId: string): Promise<DispatchHint | null> {
  const [row] = await runStatement<DispatchHint>(pool, SQL, [workspaceId]);
  return row ?? null;
}
