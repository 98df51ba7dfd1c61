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

/** Lists all events of one message, oldest first. */
export async function listMessageEvents(
  pool: pg.Pool,
  messageId: string,
): Promise<TimelineEvent[]> {
  return runStatement<TimelineEvent>(
    pool,
    `SELECT id, type, status, at, detail FROM message_events
     WHERE message_id = $1::uuid ORDER BY message_version NULLS FIRST, seq`,
    [messageId],
  );
}
