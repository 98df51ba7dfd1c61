import type { MessageEventType, MessageKey, MessageStatus } from '@switchboard/core';
import type pg from 'pg';
import { runStatement } from '../../run-statement.ts';

/** One step in the life of a message. */
export interface TimelineEvent {
  id: string;
  type: MessageEventType;
  status: MessageStatus;
  at: Date;
  detail: string | null;
}

/** Lists the latest events of one message, oldest first. */
export async function listMessageEvents(
  pool: pg.Pool,
  { workspaceId, id }: MessageKey,
  limit: number,
): Promise<TimelineEvent[]> {
  const newestFirst = await runStatement<TimelineEvent>(
    pool,
    `SELECT id, type, status, at, detail FROM message_timeline
     WHERE workspace_id = $1::uuid AND message_id = $2::uuid
     ORDER BY message_version DESC LIMIT $3::int`,
    [workspaceId, id, limit],
  );
  return newestFirst.toReversed();
}
