import type { MessageEventType, MessageStatus } from '@switchboard/core';
import type pg from 'pg';
import { runStatement } from '../run-statement.ts';

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
  messageId: string,
  limit: number,
): Promise<TimelineEvent[]> {
  const newestFirst = await runStatement<TimelineEvent>(
    pool,
    `SELECT id, type, status, at, detail FROM message_events
     WHERE message_id = $1::uuid ORDER BY message_version DESC LIMIT $2::int`,
    [messageId, limit],
  );
  return newestFirst.toReversed();
}
