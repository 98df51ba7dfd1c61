import type { StatusAdvance } from '@switchboard/core';
import type pg from 'pg';
import { columnsOf } from '../array-parameter.ts';
import { numberingOf } from '../message-events/event-numbering.ts';
import { countMessages } from '../message-events/take-event-numbers.ts';
import { type Prepared, runStatement } from '../run-statement.ts';
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

// `usual` has only rows in the state of `StatusAdvance`, so that all their other columns keep their
// values. The version of the locked row is compared: a row that another transaction has changed since the
// snapshot must not be in `target`, because `writeTarget` numbers an event for each row there and writes
// only rows of the snapshot. An account with newer credentials, or none that the provider has accepted,
// proves nothing.
const ADVANCE: Prepared = {
  name: 'advance_messages',
  growsWith: 'messages',
  text: `
WITH input AS (
  SELECT t.* FROM (
    SELECT set_config('lock_timeout', $9::text, true), ${countMessages('$10')}) AS limits, unnest(
    $11::uuid[], $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::float8[], $8::text[]
  ) AS t(workspace_id, id, account_id, sid, "from", status, replaces, due_in_ms, sealed_secret)
),
usual AS MATERIALIZED (
  SELECT i.*, m.version
  FROM input i
  JOIN provider_accounts a ON a.workspace_id = i.workspace_id AND a.id = i.account_id
    AND a.sealed_secret = i.sealed_secret AND a.verified_credentials = i.sealed_secret
  JOIN messages m ON m.workspace_id = i.workspace_id AND m.id = i.id
    AND m.provider_id = a.id AND m.vendor_account_id = a.vendor_account_id AND m.provider_sid = i.sid
  WHERE m.dispatch = 'accepted' AND m.resends = 0 AND NOT m.sid_adopted
    AND m.error_code IS NULL AND m.error_detail IS NULL AND m.error_status IS NULL
    AND m.status = m.provider_status
    AND m.status::text = ANY(string_to_array(i.replaces, ' '))
),
target AS (
  SELECT m.id, m.workspace_id, m.version, m.last_event, m.dispatch, m.resends, m.proved_resends,
    array_to_string(m.failed_accounts, ' ') AS failed_accounts, 0 AS lookups,
    i.status, i.status AS provider_status, m.provider_sid, m.provider_id, m.vendor_account_id, m.sid_adopted,
    COALESCE(m."from", i."from") AS "from", NULL::text AS error_code, NULL::text AS error_detail,
    NULL::text AS error_status, NULL::float8 AS not_before_in_ms, i.due_in_ms,
    'status_changed' AS event_type, NULL::text AS event_detail, true AS visible
  FROM messages m JOIN usual i
    ON i.workspace_id = m.workspace_id AND i.id = m.id AND i.version = m.version
  ORDER BY m.id FOR UPDATE OF m
),${writeTarget({
    numbering: '$10',
    alsoReturned: ', m.request_id, m.trace_parent',
    selected: `id, workspace_id AS "workspaceId", seq, request_id AS "requestId",
  trace_parent AS "traceParent"`,
  })}`,
};

/**
 * Writes status reports for different messages in one statement. Returns null for each message that is not in
 * the state of `StatusAdvance`, and then writes nothing.
 */
export async function advanceMessages(
  pool: pg.Pool,
  advances: readonly StatusAdvance[],
  lockTimeoutMs: number,
): Promise<(AdvancedMessage | null)[]> {
  const column = columnsOf(advances);
  const rows = await runStatement<AdvancedMessage>(pool, ADVANCE, [
    column((a) => a.messageId),
    column((a) => a.account.id),
    column((a) => a.sid),
    column((a) => a.from),
    column((a) => a.status),
    column((a) => a.replaces),
    column((a) => a.dueInMs),
    column((a) => a.account.sealedSecret),
    String(lockTimeoutMs),
    numberingOf(pool),
    column((a) => a.account.workspaceId),
  ]);
  const written = new Map(rows.map((row) => [row.id, row]));
  return advances.map(({ messageId }) => written.get(messageId) ?? null);
}
