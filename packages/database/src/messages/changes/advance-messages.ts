import type { StatusAdvance } from '@switchboard/core';
import { COUNTS_ITSELF } from '../events/count-changes.ts';
import type { EventWriter } from '../events/event-numbering.ts';
import { joinEventAccount } from '../events/event-account.ts';
import { EVENT_MESSAGE_COLUMNS, type WrittenEvent } from '../events/read-events.ts';
import type { StoredMessage } from '../rows/stored-message.ts';
import { defineRows, defineStatement } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';
import { writeTarget } from './write-target.ts';

/** A message whose status was written. */
export interface AdvancedMessage {
  id: string;
  workspaceId: string;
  /** The number of the event in the workspace. */
  seq: number;
  requestId: string | null;
  /** The trace in which the message was accepted, as a W3C `traceparent`. */
  traceParent: string | null;
}

interface AdvancedRow extends StoredMessage, AdvancedMessage {
  id: string;
  workspaceId: string;
  /** Not null: each message that was sent has had an event. */
  previousSeq: number;
}

const ADVANCES = defineRows<StatusAdvance>('i', {
  workspace_id: ['uuid', (a) => a.account.workspaceId],
  id: ['uuid', (a) => a.messageId],
  account_id: ['uuid', (a) => a.account.id],
  sid: ['text', (a) => a.sid],
  from: ['text', (a) => a.from],
  status: ['text', (a) => a.status],
  replaces: ['text', (a) => a.replaces],
  due_in_ms: ['float8', (a) => a.dueInMs],
  sealed_secret: ['text', (a) => a.account.sealedSecret],
});

// `usual` has only rows in the state of `StatusAdvance`, so that all their other columns keep their
// values. The version of the locked row is compared: a row that another transaction has changed since the
// snapshot must not be in `target`, because `writeTarget` numbers an event for each row there and writes
// only rows of the snapshot. An account with newer credentials, or none that the provider has accepted,
// proves nothing. A finished message is rare, and its change is written as others are.
const ADVANCE = defineStatement(
  {
    name: 'advance_messages',
    growsWith: ['message_progress', 'message_records'],
    text: `
WITH input AS (
  SELECT i.* FROM (
    SELECT set_config('lock_timeout', :lockTimeoutMs::text, true), ${COUNTS_ITSELF}) AS limits,
    ${ADVANCES.unnest}
),
usual AS MATERIALIZED (
  SELECT i.*, m.version
  FROM input i
  JOIN provider_accounts a ON a.workspace_id = i.workspace_id AND a.id = i.account_id
    AND a.sealed_secret = i.sealed_secret AND a.verified_credentials = i.sealed_secret
  JOIN message_progress m ON m.workspace_id = i.workspace_id AND m.id = i.id
    AND m.provider_id = a.id AND m.vendor_account_id = a.vendor_account_id AND m.provider_sid = i.sid
  WHERE m.dispatch = 'accepted' AND m.resends = 0 AND NOT m.sid_adopted
    AND m.error_code IS NULL AND m.error_detail IS NULL AND m.error_status IS NULL
    AND m.status = m.provider_status
    AND m.status::text = ANY(string_to_array(i.replaces, ' '))
),
target AS (
  SELECT m.id, m.workspace_id, m.version, m.status AS old_status, m.attempt_started_at, m.attempt_detail, m.last_event, m.dispatch, m.resends, m.proved_resends,
    array_to_string(m.failed_accounts, ' ') AS failed_accounts, 0 AS lookups,
    i.status, i.status AS provider_status, m.provider_sid, m.provider_id, m.vendor_account_id, m.sid_adopted,
    m.provider_sid AS old_sid, m.vendor_account_id AS old_vendor_account_id,
    COALESCE(m."from", i."from") AS "from", NULL::text AS error_code, NULL::text AS error_detail,
    NULL::text AS error_status, NULL::float8 AS not_before_in_ms, i.due_in_ms,
    'status_changed' AS event_type, NULL::text AS event_detail, true AS visible
  FROM message_progress m JOIN usual i
    ON i.workspace_id = m.workspace_id AND i.id = m.id AND i.version = m.version
  ORDER BY m.id FOR UPDATE OF m
),${writeTarget({
      table: 'message_progress',
      numbering: ':numbering',
      selected: `
SELECT ${EVENT_MESSAGE_COLUMNS}, e.seq, e.last_event AS "previousSeq", m.request_id AS "requestId",
  m.trace_parent AS "traceParent"
FROM (
  -- As the event was stored.
  SELECT c.id, c.workspace_id, c.seq, c.last_event, c.status, c."from", c.provider_sid, c.error_code, c.error_detail,
    now()::timestamptz(3) AS at, c.sent_at::timestamptz(3) AS sent_at, c.delivered_at::timestamptz(3) AS delivered_at,
    account.id AS provider_id, account.type AS provider_type
  FROM changed c ${joinEventAccount('c')}
) e JOIN message_records m ON m.workspace_id = e.workspace_id AND m.id = e.id`,
    })}`,
  },
  { rows: ADVANCES, values: ['lockTimeoutMs', 'numbering'] as const },
);

/**
 * Writes status reports for different messages in one statement. Returns null for each message that is not in
 * the state of `StatusAdvance`, and then writes nothing. Calls `onEvent` with each event, after the commit.
 */
export async function advanceMessages(
  { pool, numbering }: EventWriter,
  advances: readonly StatusAdvance[],
  lockTimeoutMs: number,
  onEvent?: (event: WrittenEvent) => void,
): Promise<(AdvancedMessage | null)[]> {
  const values = { lockTimeoutMs: String(lockTimeoutMs), numbering: numbering.value };
  const rows = await runStatement<AdvancedRow>(pool, ADVANCE, ADVANCE.toValues(advances, values));
  const written = new Map(rows.map((row) => [row.id, row]));
  if (onEvent !== undefined) {
    for (const row of rows) {
      const { workspaceId, seq, previousSeq, traceParent } = row;
      onEvent({ workspaceId, seq, previousSeq, type: 'status_changed', message: row, traceParent });
    }
  }
  return advances.map(({ messageId }) => written.get(messageId) ?? null);
}
