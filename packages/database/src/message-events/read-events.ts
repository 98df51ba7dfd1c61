import type { MessageEventType } from '@switchboard/core';
import type pg from 'pg';
import { type Prepared, runStatement } from '../run-statement.ts';
import { STORED_MESSAGE_COLUMNS, type StoredMessage } from '../messages/stored-message.ts';

/** An event that clients receive, with the message in its state right after the event. */
export interface VisibleEvent {
  workspaceId: string;
  seq: number;
  type: MessageEventType;
  message: StoredMessage;
  /** The trace in which the message was accepted, in W3C's form. */
  traceParent: string | null;
}

/** A part of a workspace's events: contains all of them from `first` to `through`. */
export interface EventPage {
  events: VisibleEvent[];
  /** If it exceeds the requested position by more than one, the events between were deleted. */
  first: number;
  through: number;
}

interface EventRow extends StoredMessage {
  seq: number;
  type: MessageEventType;
  visible: boolean;
  traceParent: string | null;
  first: number;
  through: number;
}

// Columns that change over time come from the event, the others from the message. Of the events that
// clients do not receive, only one at the end of the page is read.
const READ: Prepared = {
  name: 'read_events',
  growsWith: 'message_events',
  text: `
SELECT ${STORED_MESSAGE_COLUMNS.replace('m.status', 'e.status')
    .replace('m."from"', 'e."from"')
    .replace('m.provider_sid', 'e.provider_sid')
    .replace('m.error_code', 'e.error_code')
    .replace('m.error_detail', 'e.error_detail')
    .replace('m.updated_at', 'e.at')
    .replace('m.sent_at', 'e.sent_at')
    .replace('m.delivered_at', 'e.delivered_at')},
  e.seq, e.type, e.visible, m.trace_parent AS "traceParent", e.first, e.through
FROM unnest($1::uuid[], $2::bigint[]) AS r(workspace_id, after)
CROSS JOIN LATERAL (
  SELECT p.*, min(seq) OVER () AS first, max(seq) OVER () AS through
  FROM (
    SELECT * FROM message_events e
    WHERE e.workspace_id = r.workspace_id AND e.seq > r.after
    ORDER BY e.seq LIMIT $3::int
  ) p
) e
JOIN messages m ON m.id = e.message_id
WHERE e.visible OR e.seq = e.through
ORDER BY e.workspace_id, e.seq`,
};

/**
 * Reads the next events of several workspaces, each from its own position, at most `limit` events each.
 * A workspace without new events has no entry.
 */
export async function readEvents(
  pool: pg.Pool,
  positions: readonly { workspaceId: string; after: number }[],
  limit: number,
): Promise<Map<string, EventPage>> {
  const rows = await runStatement<EventRow>(pool, READ, [
    positions.map((p) => p.workspaceId),
    positions.map((p) => p.after),
    limit,
  ]);
  const pages = new Map<string, EventPage>();
  for (const { seq, type, visible, traceParent, first, through, ...message } of rows) {
    const { workspaceId } = message;
    let page = pages.get(workspaceId);
    if (page === undefined) {
      page = { events: [], first, through };
      pages.set(workspaceId, page);
    }
    if (visible) page.events.push({ workspaceId, seq, type, message, traceParent });
  }
  return pages;
}

/**
 * Returns the first and the last stored event number of a workspace; 0 and 0 before its first event.
 */
export async function readEventRange(
  pool: pg.Pool,
  workspaceId: string,
): Promise<{ first: number; last: number }> {
  const [row] = await runStatement<{ first: number; last: number }>(
    pool,
    `SELECT
       COALESCE((SELECT seq FROM message_events WHERE workspace_id = $1::uuid ORDER BY seq LIMIT 1), 0) AS first,
       COALESCE((SELECT last_seq FROM event_counters WHERE workspace_id = $1::uuid), 0) AS last`,
    [workspaceId],
  );
  return row ?? { first: 0, last: 0 };
}

/** The last event numbers and their epoch. */
export interface EventCounters {
  /** Null in the first epoch. */
  epoch: string | null;
  /** The last event number of each workspace that has events. */
  lastSeqs: Map<string, number>;
}

/** Reads the counters of several workspaces and the epoch they belong to, in one snapshot. */
export async function readCounters(
  pool: pg.Pool,
  workspaceIds: readonly string[],
): Promise<EventCounters> {
  const rows = await runStatement<{
    epoch: string | null;
    workspaceId: string | null;
    lastSeq: number | null;
  }>(
    pool,
    `SELECT NULLIF(current_event_epoch(), e.first) AS epoch,
       c.workspace_id AS "workspaceId", c.last_seq AS "lastSeq"
     FROM event_epoch e LEFT JOIN event_counters c ON c.workspace_id = ANY($1::uuid[])`,
    [workspaceIds],
  );
  const lastSeqs = new Map<string, number>();
  for (const { workspaceId, lastSeq } of rows) {
    if (workspaceId !== null && lastSeq !== null) lastSeqs.set(workspaceId, lastSeq);
  }
  return { epoch: rows[0]?.epoch ?? null, lastSeqs };
}
