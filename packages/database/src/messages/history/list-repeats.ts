import type { MessageStatus } from '@switchboard/core';
import type pg from 'pg';
import { runStatement } from '../../run-statement.ts';

/** A message that was sent to repeat another one. */
export interface Repeat {
  id: string;
  status: MessageStatus;
  createdAt: Date;
}

/** Lists the messages that repeat a message of the workspace, newest first. */
export function listRepeats(
  pool: pg.Pool,
  workspaceId: string,
  messageId: string,
  limit: number,
): Promise<Repeat[]> {
  return runStatement<Repeat>(
    pool,
    `SELECT id, status, created_at AS "createdAt" FROM messages
     WHERE repeat_of = $1::uuid AND workspace_id = $2::uuid
     ORDER BY id DESC LIMIT $3::int`,
    [messageId, workspaceId, limit],
  );
}
