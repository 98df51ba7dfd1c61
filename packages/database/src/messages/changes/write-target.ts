import { ERASED } from '@switchboard/core';
import { addEvents } from '../events/add-events.ts';
import { countChanges } from '../events/count-changes.ts';
import { takeEventNumbers } from '../events/take-event-numbers.ts';
import { MOVING, setMoving, setMovingIf } from '../rows/moving-columns.ts';

/** What the provider says of an erased message may have the number or the text. */
const unlessErased = (value: string): string => `CASE WHEN m."to" <> '${ERASED}' THEN ${value} END`;

/** The state of the locked row `m` after its change `i`, by column. */
const NEXT: Readonly<Record<string, string>> = {
  version: 'm.version + 1',
  dispatch: 'i.dispatch::dispatch_state',
  resends: 'i.resends',
  proved_resends: 'i.proved_resends',
  failed_accounts: `string_to_array(i.failed_accounts, ' ')::uuid[]`,
  lookups: 'i.lookups',
  status: 'i.status::message_status',
  provider_status: 'i.provider_status::message_status',
  provider_sid: 'i.provider_sid',
  provider_id: 'i.provider_id::uuid',
  vendor_account_id: 'i.vendor_account_id',
  sid_adopted: 'i.sid_adopted',
  '"from"': 'i."from"',
  error_code: 'i.error_code',
  error_detail: unlessErased('i.error_detail'),
  error_status: 'i.error_status::message_status',
  updated_at: 'CASE WHEN i.visible THEN now() ELSE m.updated_at END',
  sent_at: `CASE
      WHEN i.status IN ('sent', 'delivered', 'read') THEN COALESCE(m.sent_at, now())
      WHEN i.provider_status IS NULL THEN NULL
      ELSE m.sent_at END`,
  delivered_at: `CASE
      WHEN i.status IN ('delivered', 'read') THEN COALESCE(m.delivered_at, now())
      WHEN i.provider_status IS NULL THEN NULL
      ELSE m.delivered_at END`,
  last_event: 'CASE WHEN i.visible THEN i.seq ELSE m.last_event END',
};

const KEPT = ['attempt', 'started_at', 'first_attempt_at'];

const DUE_AT = `now() + i.due_in_ms * interval '1 millisecond'`;
const NOT_BEFORE = `now() + i.not_before_in_ms * interval '1 millisecond'`;
const IS_OF_CHANGE = 'm.workspace_id = i.workspace_id AND m.id = i.id AND m.version = i.version';

const nextState = [
  ...Object.entries(NEXT).map(([column, next]) => `${next} AS ${column}`),
  ...KEPT.map((column) => `m.${column}`),
].join(', ');

/** What the end of the statement needs to know of a changed message: its state after the change, and its event. */
const CHANGED = `id, workspace_id, "to", version, status, "from", provider_id, vendor_account_id, provider_sid,
    error_code, error_detail, sent_at, delivered_at`;
const EVENT =
  'event_type, event_detail, visible, seq, old_event AS last_event, old_status, attempt_started_at, attempt_detail, old_sid, old_vendor_account_id';
const EVENT_OF_CHANGE = `i.event_type, ${unlessErased('i.event_detail')} AS event_detail, i.visible, i.seq, i.last_event AS old_event, i.old_status, i.attempt_started_at,
    i.attempt_detail, i.old_sid,
    i.old_vendor_account_id`;

// A message that nothing more is due for leaves `message_progress`, and its state is written back. Only a row with a
// due time is changed there, so each row belongs to one of the two.
const CHANGE_PROGRESS = `
moved AS (
  UPDATE message_progress m SET
    ${Object.entries(NEXT)
      .map(([column, next]) => `${column} = ${next}`)
      .join(', ')},
    not_before = COALESCE(${NOT_BEFORE}, m.not_before),
    attempt_started_at = CASE WHEN i.event_type IS NULL THEN m.attempt_started_at END,
    attempt_detail = CASE WHEN i.event_type IS NULL THEN m.attempt_detail END,
    -- A due time that is close enough is kept: without a new index entry, a change of status is cheap.
    due_at = CASE
      WHEN m.dispatch = 'accepted' AND i.dispatch = 'accepted'
        AND m.due_at BETWEEN now() + i.due_in_ms * interval '0.9 milliseconds' AND ${DUE_AT} THEN m.due_at
      ELSE ${DUE_AT} END
  FROM numbered i WHERE ${IS_OF_CHANGE} AND i.due_in_ms IS NOT NULL
  RETURNING ${CHANGED.replaceAll(/("?\w+"?)/g, 'm.$1')}, ${EVENT_OF_CHANGE}
),
finished AS (
  DELETE FROM message_progress m USING numbered i WHERE ${IS_OF_CHANGE} AND i.due_in_ms IS NULL
  RETURNING m.id, m.workspace_id, m."to", ${nextState}, ${EVENT_OF_CHANGE}
),
written AS (
  UPDATE message_records r SET ${setMoving('f')}
  FROM finished f WHERE r.workspace_id = f.workspace_id AND r.id = f.id
),
changed AS (
  SELECT ${CHANGED}, ${EVENT} FROM moved
  UNION ALL
  SELECT ${CHANGED}, ${EVENT} FROM finished
)`;

// A finished message changes in its record, unless it is due again: then it is in progress as before it was finished.
const CHANGE_RECORD = `
next AS (
  SELECT m.id, m.workspace_id, m."to", m.sent_by_id, m.scheduled_at IS NOT NULL AS is_scheduled, ${nextState},
    ${NOT_BEFORE} AS not_before, ${DUE_AT} AS due_at, ${EVENT_OF_CHANGE}
  FROM message_records m JOIN numbered i ON ${IS_OF_CHANGE}
),
written AS (
  UPDATE message_records m SET ${setMovingIf('i.due_at IS NULL', 'i')}
  FROM next i WHERE m.workspace_id = i.workspace_id AND m.id = i.id AND m.version = i.version - 1
),
reopened AS (
  INSERT INTO message_progress (id, workspace_id, "to", sent_by_id, is_scheduled, not_before, due_at, ${MOVING})
  SELECT id, workspace_id, "to", sent_by_id, is_scheduled, not_before, due_at, ${MOVING} FROM next WHERE due_at IS NOT NULL
),
changed AS (SELECT ${CHANGED}, ${EVENT} FROM next)`;

const STATUS_CHANGES = `
  SELECT workspace_id, id, 'outbound'::direction AS direction, s.status, s.change
  FROM changed, LATERAL (VALUES (status, 1), (old_status, -1)) AS s(status, change)
  WHERE changed.status <> old_status`;

/** Whether the change gave the message another identifier, or took it away. */
const HAS_NEW_SID = `(c.provider_sid, c.vendor_account_id) IS DISTINCT FROM (c.old_sid, c.old_vendor_account_id)`;

/**
 * Returns the end of a statement that writes changes: everything after `target`, a common table expression with the
 * rows to change, from `table`. `target` has the locked row's `id`, `workspace_id`, `version`, `last_event`, its status as
 * `old_status`, the start of its attempt as `attempt_started_at` and `attempt_detail`, and its identifier as `old_sid` and `old_vendor_account_id`, the new values under the names of their columns, and the columns
 * of the event; a row whose `event_type` is null has none. `numbering` is a parameter with the value of
 * `EventNumbering`.
 *
 * Message rows are locked first and counter rows last, each in the same order everywhere, so that two batches never
 * wait for each other.
 */
export function writeTarget({
  table,
  numbering,
  alsoDone = '',
  selected,
}: {
  table: 'message_progress' | 'message_records';
  numbering: string;
  /** More common table expressions, which may use `changed`. */
  alsoDone?: string;
  /** The end of the statement, a query of `changed`. */
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
),${table === 'message_progress' ? CHANGE_PROGRESS : CHANGE_RECORD},
released AS (
  DELETE FROM provider_sids s USING changed c
  WHERE s.provider_sid = c.old_sid AND s.vendor_account_id = c.old_vendor_account_id AND s.message_id = c.id
    AND ${HAS_NEW_SID}
),
identified AS (
  INSERT INTO provider_sids (provider_sid, vendor_account_id, workspace_id, message_id, direction)
  SELECT c.provider_sid, c.vendor_account_id, c.workspace_id, c.id, 'outbound' FROM changed c
  WHERE c.provider_sid IS NOT NULL AND c.vendor_account_id IS NOT NULL AND ${HAS_NEW_SID}
),
${addEvents('changed')},
${countChanges(numbering, STATUS_CHANGES)}${alsoDone}
${selected}`;
}
