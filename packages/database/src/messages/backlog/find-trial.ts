import type { DispatchHint } from '@switchboard/core';
import type pg from 'pg';
import { isNew } from './is-new.ts';
import { runStatement } from '../../run-statement.ts';

const READY = `due_messages WHERE dispatch = 'ready' AND workspace_id = $1::uuid`;
const IS_NEW = isNew('due_messages');

// First attempts come first, because a message that is sent a second time has no resend left.
const SQL = `
SELECT r.id AS "messageId", r.workspace_id AS "workspaceId", r.request_id AS "requestId" FROM (
  (SELECT id FROM ${READY} AND ${IS_NEW} ORDER BY due_at LIMIT 1)
  UNION ALL
  (SELECT id FROM ${READY} AND NOT ${IS_NEW} AND not_before <= now()
    ORDER BY resends, due_at LIMIT 1)
  LIMIT 1
) first JOIN message_records r ON r.workspace_id = $1::uuid AND r.id = first.id`;

/** Finds the message to send first when the workspace's provider account works again. */
export async function findTrial(pool: pg.Pool, workspaceId: string): Promise<DispatchHint | null> {
  const [row] = await runStatement<DispatchHint>(pool, SQL, [workspaceId]);
  return row ?? null;
}
