import {
  type EventPosition,
  type MessageEventType,
  type OrderedEvent,
  lastIn,
  mergeEvents,
  positionOf,
  slotOf,
  toSeqs,
  unite,
} from '@switchboard/core';
import type pg from 'pg';
import { anyLength } from '../../array-parameter.ts';
import { defineQuery } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';
import { ACCOUNT_AT_EVENT } from './event-account.ts';
import { START_OF_SLOT } from './take-event-numbers.ts';
import {
  STORED_MESSAGE_JOINS,
  type StoredMessage,
  storedMessageColumns,
} from '../rows/stored-message.ts';

/** An event that clients receive, with the message in its state right after the event. */
export interface ClientEvent {
  workspaceId: string;
  seq: number;
  type: MessageEventType;
  message: StoredMessage;
  /** The trace in which the message was accepted, as a W3C `traceparent`. */
  traceParent: string | null;
}

/** An event as it is read. */
export interface VisibleEvent extends ClientEvent {
  /** Unique among all events, even after a restore of the database. */
  eventId: string;
}

/** An event as the statement that has written it returns it. */
export type WrittenEvent = ClientEvent & OrderedEvent;

/** The next events of a workspace after a position. */
export interface EventPage {
  /** The events of each message are in order. */
  events: VisibleEvent[];
  /** The position after these events. */
  position: EventPosition;
  /** Whether the page reached the end at the time of reading. */
  isLast: boolean;
  /**
   * Events after the requested position have been deleted. The page then has no events and reaches the
   * end.
   */
  hasGap: boolean;
}

interface EventRow extends StoredMessage {
  eventId: string;
  /** Null if there is no event after the requested position, because all were deleted. */
  seq: number | null;
  previousSeq: number | null;
  type: MessageEventType;
  visible: boolean;
  traceParent: string | null;
  feedId: string;
  slot: number;
  after: number;
  lastSeq: number;
  first: number;
  through: number;
}

/**
 * The select list of a message in its state right after the event `e`. Columns that change over time come
 * from the event, the others from the message, so that an event reads the same at any later time:
 * attempts and replays of a webhook, and a resumed WebSocket, repeat the same bytes.
 */
export const EVENT_MESSAGE_COLUMNS = storedMessageColumns({
  state: 'e',
  updatedAt: 'e.at',
  account: ACCOUNT_AT_EVENT,
});

const FEEDS = anyLength(':workspaceIds', 'uuid');

// Skips the events that clients do not receive, except one at the end of the page, because the page's
// position includes it.
const READ = defineQuery(
  {
    name: 'read_events',
    growsWith: ['message_events'],
    text: `
SELECT ${EVENT_MESSAGE_COLUMNS},
  r.workspace_id AS "feedId", r.slot, r.after, r.last_seq AS "lastSeq",
  e.seq, e.id AS "eventId", e.previous_seq AS "previousSeq", e.type, e.visible, m.trace_parent AS "traceParent",
  e.first, e.through
FROM (
  SELECT c.workspace_id, c.slot, c.last_seq, COALESCE(p.after, ${START_OF_SLOT('c.slot')}) AS after,
    count(*) OVER (PARTITION BY c.workspace_id) AS slots
  FROM event_counters c
  LEFT JOIN unnest(${anyLength(':placeWorkspaces', 'uuid')}, ${anyLength(':placeSlots', 'int')}, ${anyLength(':placeSeqs', 'bigint')})
    AS p(workspace_id, slot, after)
    ON p.workspace_id = c.workspace_id AND p.slot = c.slot
  WHERE c.workspace_id = ANY(${FEEDS}) AND c.last_seq > COALESCE(p.after, ${START_OF_SLOT('c.slot')})
) r
LEFT JOIN LATERAL (
  SELECT p.*, min(seq) OVER () AS first, max(seq) OVER () AS through
  FROM (
    SELECT * FROM message_events e
    WHERE e.workspace_id = r.workspace_id AND e.seq > r.after AND e.seq <= r.last_seq
    ORDER BY e.seq LIMIT GREATEST(1, :limit::int / r.slots)
  ) p
) e ON true
LEFT JOIN messages m ON m.workspace_id = e.workspace_id AND m.id = e.message_id ${STORED_MESSAGE_JOINS}
WHERE e.seq IS NULL OR e.visible OR e.seq = e.through
ORDER BY r.workspace_id, r.slot, e.seq`,
  },
  ['workspaceIds', 'placeWorkspaces', 'placeSlots', 'placeSeqs', 'limit'],
);

/**
 * Reads the next events of several workspaces, each from its own position, at most `limit` per
 * workspace, but at least one per slot. A workspace without new events has no entry.
 */
export async function readEvents(
  pool: pg.Pool,
  feeds: readonly { workspaceId: string; after: EventPosition }[],
  limit: number,
): Promise<Map<string, EventPage>> {
  const places = feeds.flatMap(({ workspaceId, after }) =>
    toSeqs(after).map((seq) => ({ workspaceId, slot: slotOf(seq), seq })),
  );
  const values = READ.toValues({
    workspaceIds: feeds.map((feed) => feed.workspaceId),
    placeWorkspaces: places.map((place) => place.workspaceId),
    placeSlots: places.map((place) => place.slot),
    placeSeqs: places.map((place) => place.seq),
    limit,
  });
  const rows = await runStatement<EventRow>(pool, READ, values);
  const rowsOf = new Map<string, EventRow[]>();
  for (const row of rows) {
    const found = rowsOf.get(row.feedId);
    if (found === undefined) rowsOf.set(row.feedId, [row]);
    else found.push(row);
  }
  const pages = new Map<string, EventPage>();
  for (const { workspaceId, after } of feeds) {
    const found = rowsOf.get(workspaceId);
    if (found !== undefined) pages.set(workspaceId, toPage(after, found));
  }
  return pages;
}

function toPage(after: EventPosition, rows: readonly EventRow[]): EventPage {
  const slots = new Map<number, { slot: number; events: OrderedVisibleEvent[]; through: number }>();
  let hasGap = false;
  for (const row of rows) {
    if (row.seq === null || row.first > row.after + 1) {
      hasGap = true;
      continue;
    }
    const { slot, through } = row;
    const page = slots.get(slot) ?? { slot, events: [], through };
    slots.set(slot, page);
    if (row.visible) page.events.push(toEvent(row, row.seq));
  }
  if (hasGap) {
    const position = unite(after, positionOf(rows.map((row) => row.lastSeq)));
    return { events: [], position, isLast: true, hasGap };
  }
  const { events, position } = mergeEvents(after, [...slots.values()]);
  const isLast = rows.every(({ slot, lastSeq }) => lastIn(position, slot) >= lastSeq);
  return { events, position, isLast, hasGap };
}

type OrderedVisibleEvent = VisibleEvent & OrderedEvent;

function toEvent(row: EventRow, seq: number): OrderedVisibleEvent {
  const { feedId: workspaceId, eventId, previousSeq, type, traceParent } = row;
  // The row itself is the message: copying its fields without the others costs more than the rest.
  return { workspaceId, seq, eventId, previousSeq, type, message: row, traceParent };
}

/** The ends of the events of several workspaces, and the epoch of the numbers. */
export interface EventCounters {
  epoch: string;
  /** The last event of each workspace that has events. */
  positions: Map<string, EventPosition>;
}

const READ_COUNTERS = defineQuery(
  {
    name: 'read_event_counters',
    text: `
SELECT current_event_epoch() AS epoch, c.workspace_id AS "workspaceId",
  c.last_seqs AS "lastSeqs"
FROM (SELECT) one LEFT JOIN (
  SELECT workspace_id, array_agg(last_seq::float8) AS last_seqs
  FROM event_counters WHERE workspace_id = ANY(${FEEDS})
  GROUP BY workspace_id
) c ON true`,
  },
  ['workspaceIds'],
);

/** Reads the counters of several workspaces and the epoch they belong to, in one snapshot. */
export async function readCounters(
  pool: pg.Pool,
  workspaceIds: readonly string[],
): Promise<EventCounters> {
  const rows = await runStatement<{
    epoch: string;
    workspaceId: string | null;
    lastSeqs: number[] | null;
  }>(pool, READ_COUNTERS, READ_COUNTERS.toValues({ workspaceIds }));
  const positions = new Map<string, EventPosition>();
  for (const { workspaceId, lastSeqs } of rows) {
    if (workspaceId !== null) positions.set(workspaceId, positionOf(lastSeqs ?? []));
  }
  const [first] = rows;
  if (first === undefined) throw new Error('The query for the epoch returned no row.');
  return { epoch: first.epoch, positions };
}
