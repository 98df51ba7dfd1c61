import type { ApplyResult, Change } from '@switchboard/core';
import type pg from 'pg';
import { columnsOf } from '../array-parameter.ts';
import { eventSlotOf } from '../message-events/event-slot.ts';
import {
  countInSlot,
  lockForOptOuts,
  takeEventNumbers,
} from '../message-events/take-event-numbers.ts';
import { type Prepared, runStatement } from '../run-statement.ts';

// All changes of a row after its acceptance are written here, except for claims. The statement compares
// the version. It locks message rows first and counter rows last, each in the same order everywhere, so
// that two batches never wait for each other.
const textOf = (alsoDone: string): string => `
WITH input AS (
  SELECT t.* FROM (
    SELECT set_config('lock_timeout', $20::text, true), ${countInSlot('$21')}) AS limits, unnest(
    $1::uuid[], $2::int[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::bool[], $11::text[], $12::text[], $13::text[], $14::float8[], $15::float8[],
    $16::text[], $17::text[], $18::bool[], $19::text[], $22::int[], $23::text[]
  ) AS t(id, version, dispatch, resends, lookups, status, provider_status, provider_sid,
         provider_account, sid_adopted, "from", error_code, error_detail, not_before_in_ms,
         due_in_ms, event_type, event_detail, visible, error_status, proved_resends, failed_accounts)
),
-- Each row carries its change through the statement: the planner expects few rows of a CTE, and would
-- join two of them by comparing each row with each row.
target AS (
  SELECT i.*, m.workspace_id, m.last_event
  FROM messages m JOIN input i ON i.id = m.id AND i.version = m.version
  ORDER BY m.id FOR UPDATE OF m
),
totals AS (
  SELECT workspace_id, count(*) AS n FROM target WHERE event_type IS NOT NULL GROUP BY workspace_id
),
${takeEventNumbers('$21')},
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
    failed_accounts = string_to_array(i.failed_accounts, ' '),
    lookups = i.lookups,
    status = i.status::message_status,
    provider_status = i.provider_status::message_status,
    provider_sid = i.provider_sid,
    provider_account = i.provider_account,
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
    -- In slot 0 the numbers alone give the order, and a process without slots would have to clear it.
    last_event = CASE WHEN NOT i.visible THEN m.last_event WHEN $21::int > 0 THEN i.seq END
  FROM numbered i
  WHERE m.id = i.id AND m.version = i.version
  RETURNING m.id, m.workspace_id, m."to", m.version, m.status, m."from", m.provider_sid,
    m.error_code, m.error_detail, m.sent_at, m.delivered_at, i.event_type, i.event_detail, i.visible,
    i.seq, i.last_event AS previous_seq
),
events AS (
  INSERT INTO message_events (workspace_id, seq, message_id, message_version, type, at, detail,
    visible, status, "from", provider_sid, error_code, error_detail, sent_at, delivered_at,
    previous_seq)
  SELECT workspace_id, seq, id, version, event_type::event_type, now(), event_detail, visible,
    status, "from", provider_sid, error_code, error_detail, sent_at, delivered_at,
    -- Without a number in the message, its latest visible event is in slot 0 or its only one. The numbers
    -- of slot 0 are the highest.
    CASE WHEN visible THEN COALESCE(previous_seq, CASE WHEN $21::int > 0 THEN (
      SELECT max(e.seq) FROM message_events e WHERE e.message_id = changed.id AND e.visible) END) END
  FROM changed WHERE event_type IS NOT NULL
)${alsoDone}
SELECT id, workspace_id AS "workspaceId", seq FROM changed`;

const APPLY: Prepared = { name: 'apply_changes', growsWith: 'messages', text: textOf('') };

// Only for the rare batch with an opt-out, so that other batches do not pay for it. Every statement that
// writes opt-outs and other rows locks the shared counters of their workspaces first, so that two
// such statements never wait for each other in a circle.
const APPLY_AND_OPT_OUT: Prepared = {
  name: 'apply_changes_and_opt_out',
  growsWith: 'messages',
  text: textOf(`,
opting_out AS (SELECT * FROM changed WHERE id = ANY($24::uuid[])),
${lockForOptOuts('opting_out')},
opted_out AS (
  INSERT INTO opt_outs (workspace_id, number, reason, created_at)
  -- One row for each number: a statement cannot update a row twice.
  SELECT DISTINCT ON (o.workspace_id, o."to") o.workspace_id, o."to", 'provider ' || o.error_code, now()
  FROM opting_out o LEFT JOIN opt_out_locks l USING (workspace_id)
  ON CONFLICT (workspace_id, number) DO UPDATE SET latest_at = excluded.created_at
)`),
};

interface AppliedRow {
  id: string;
  workspaceId: string;
  seq: number | null;
}

/** Writes changes of different messages in one statement. */
export async function applyChanges(
  pool: pg.Pool,
  changes: readonly Change[],
  lockTimeoutMs: number,
): Promise<ApplyResult[]> {
  const column = columnsOf(changes);
  const optingOut = changes.filter((c) => c.optsOut).map((c) => c.id);
  const rows = await runStatement<AppliedRow>(
    pool,
    optingOut.length > 0 ? APPLY_AND_OPT_OUT : APPLY,
    [
      column((c) => c.id),
      column((c) => c.expectedVersion),
      column((c) => c.next.dispatch),
      column((c) => c.next.resends),
      column((c) => c.next.lookups),
      column((c) => c.next.status),
      column((c) => c.next.providerStatus),
      column((c) => c.next.providerSid),
      column((c) => c.next.providerAccount),
      column((c) => c.next.sidAdopted),
      column((c) => c.next.from),
      column((c) => c.next.errorCode),
      column((c) => c.next.errorDetail),
      column((c) => c.notBeforeInMs),
      column((c) => c.dueInMs),
      column((c) => c.event?.type ?? null),
      column((c) => c.event?.detail ?? null),
      column((c) => c.event?.visible ?? false),
      column((c) => c.next.errorStatus),
      String(lockTimeoutMs),
      eventSlotOf(pool),
      column((c) => c.next.provedResends),
      // Neither vendor has spaces in the ids of accounts.
      column((c) => c.next.failedAccounts.join(' ') || null),
      ...(optingOut.length > 0 ? [optingOut] : []),
    ],
  );
  const applied = new Map(rows.map((row) => [row.id, row]));
  return changes.map((change) => {
    const row = applied.get(change.id);
    if (row === undefined) return { kind: 'stale' };
    return { kind: 'applied', workspaceId: row.workspaceId, seq: row.seq };
  });
}
