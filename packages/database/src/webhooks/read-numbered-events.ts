import type { MessageEventType } from '@switchboard/core';
import type pg from 'pg';
import { EVENT_MESSAGE_COLUMNS } from '../messages/events/read-events.ts';
import { STORED_MESSAGE_JOINS, type StoredMessage } from '../messages/rows/stored-message.ts';
import { type Prepared, runStatement } from '../run-statement.ts';

/** An event of a message, with the message in its state right after the event. */
export interface NumberedEvent {
  seq: number;
  eventId: string;
  type: MessageEventType;
  message: StoredMessage;
}

interface NumberedRow extends StoredMessage {
  seq: number;
  eventId: string;
  type: MessageEventType;
}

const READ: Prepared = {
  name: 'read_numbered_events',
  text: `
SELECT ${EVENT_MESSAGE_COLUMNS}, e.seq, e.id AS "eventId", e.type
FROM unnest($1::uuid[], $2::bigint[]) AS i(workspace_id, seq)
JOIN message_events e ON e.workspace_id = i.workspace_id AND e.seq = i.seq
JOIN messages m ON m.workspace_id = e.workspace_id AND m.id = e.message_id ${STORED_MESSAGE_JOINS}`,
};

/** Reads events of any workspaces by their numbers, in any order. Deleted events are left out. */
export async function readNumberedEvents(
  pool: pg.Pool,
  events: readonly { workspaceId: string; seq: number }[],
): Promise<NumberedEvent[]> {
  const rows = await runStatement<NumberedRow>(pool, READ, [
    events.map(({ workspaceId }) => workspaceId),
    events.map(({ seq }) => seq),
  ]);
  return rows.map(({ seq, eventId, type, ...message }) => ({ seq, eventId, type, message }));
}
