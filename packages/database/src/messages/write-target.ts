import { addEvents } from '../message-events/add-events.ts';
import { takeEventNumbers } from '../message-events/take-event-numbers.ts';

/**
 * Returns the end of a statement that writes changes: everything after `target`, a common table
 * expression with the rows to change. `target` has the locked row's `id`, `workspace_id`, `version`
 * and `last_event`, the new values under the names of their columns, and the columns of the event;
 * a row whose `event_type` is null has none. `numbering` is a parameter with the value of
 * `numberingOf`.
 *
 * Message rows are locked first and counter rows last, each in the same order everywhere, so that two
 * batches never wait for each other.
 */
export function writeTarget({
  numbering,
  alsoDone = '',
  alsoReturned = '',
  selected,
}: {
  numbering: string;
  /** More common table expressions, which may use `changed`. */
  alsoDone?: string;
  /** Columns of the message `m` that `changed` has in addition. */
  alsoReturned?: string;
  /** The select list, from `changed`. */
  selected: string;
}): string {
  return `
totals AS (
  SELECT workspace_id, count(*) AS n FROM target WHERE event_type IS NOT NULL GROUP BY workspace_id
),
${takeEventNumbers(numbering)},
numbered AS (
  SELECT t.*, CASE WHEN t.event_type IS NOT NULL THEN c.last_seq + 1
    - row_number() OVER (PARTITION BY t.workspace_id, t.event_type IS NULL ORDER BY t.id DESC) END AS seq
  FROM target t LEFT JOIN counters c USING (workspace_id)
),
changed AS (
  UPDATE messages m SET
    version = m.version + 1,
    dispatch = i.dispatch::dispatch_state,
    resends = i.resends,
    proved_resends = i.proved_resends,
    failed_accounts = string_to_array(i.failed_accounts, ' ')::uuid[],
    lookups = i.lookups,
    status = i.status::message_status,
    provider_status = i.provider_status::message_status,
    provider_sid = i.provider_sid,
    provider_id = i.provider_id::uuid,
    vendor_account_id = i.vendor_account_id,
    sid_adopted = i.sid_adopted,
    "from" = i."from",
    error_code = i.error_code,
    error_detail = i.error_detail,
    error_status = i.error_status::message_status,
    not_before = COALESCE(now() + i.not_before_in_ms * interval '1 millisecond', m.not_before),
    -- A due time that is close enough is kept: without a new index entry, a change of status is cheap.
    due_at = CASE
      WHEN m.dispatch = 'accepted' AND i.dispatch = 'accepted'
        AND m.due_at BETWEEN now() + i.due_in_ms * interval '0.9 milliseconds'
          AND now() + i.due_in_ms * interval '1 millisecond' THEN m.due_at
      ELSE now() + i.due_in_ms * interval '1 millisecond' END,
    updated_at = CASE WHEN i.visible THEN now() ELSE m.updated_at END,
    sent_at = CASE
      WHEN i.status IN ('sent', 'delivered', 'read') THEN COALESCE(m.sent_at, now())
      WHEN i.provider_status IS NULL THEN NULL
      ELSE m.sent_at END,
    delivered_at = CASE
      WHEN i.status IN ('delivered', 'read') THEN COALESCE(m.delivered_at, now())
      WHEN i.provider_status IS NULL THEN NULL
      ELSE m.delivered_at END,
    last_event = CASE WHEN i.visible THEN i.seq ELSE m.last_event END
  FROM numbered i
  WHERE m.workspace_id = i.workspace_id AND m.id = i.id AND m.version = i.version
  RETURNING m.id, m.workspace_id, m."to", m.version, m.status, m."from", m.provider_id, m.provider_sid,
    m.error_code, m.error_detail, m.sent_at, m.delivered_at, i.event_type, i.event_detail, i.visible,
    i.seq, i.last_event${alsoReturned}
),
${addEvents('changed')}${alsoDone}
SELECT ${selected} FROM changed`;
}
