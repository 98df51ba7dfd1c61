import { EVENT_ACCOUNT, joinEventAccount } from './event-account.ts';

/**
 * Returns the common table expression `events`, which adds the events of changed messages. `changed` has the columns
 * of a message after its change, those of the event, its number as `seq`, the number of the message's latest visible
 * event before it as `last_event`, which clients receive first, and the start of an attempt that has no event yet.
 */
export function addEvents(changed: string): string {
  return `
events AS (
  INSERT INTO message_events (workspace_id, seq, message_id, message_version, type, at, detail,
    visible, status, "from", provider_sid, error_code, error_detail, sent_at, delivered_at,
    provider_id, provider_type, attempt_started_at, attempt_status, attempt_detail, previous_seq)
  SELECT c.workspace_id, c.seq, c.id, c.version, c.event_type::event_type, now(), c.event_detail, c.visible,
    c.status, c."from", c.provider_sid, c.error_code, c.error_detail, c.sent_at, c.delivered_at,
    ${EVENT_ACCOUNT}, c.attempt_started_at,
    CASE WHEN c.attempt_started_at IS NOT NULL THEN c.old_status END, c.attempt_detail,
    -- A received message is stored without the number of its event, which is then its only visible one.
    CASE WHEN c.visible THEN COALESCE(c.last_event, (
      SELECT max(e.seq) FROM message_events e WHERE e.workspace_id = c.workspace_id AND e.message_id = c.id AND e.visible)) END
  FROM ${changed} c ${joinEventAccount('c')}
  WHERE c.event_type IS NOT NULL
)`;
}
