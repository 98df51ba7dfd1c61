import type { ApplyResult, Change } from '@switchboard/core';
import type pg from 'pg';
import { columnsOf } from '../array-parameter.ts';
import { numberingOf } from '../message-events/event-numbering.ts';
import { countMessages, lockForOptOuts } from '../message-events/take-event-numbers.ts';
import { type Prepared, runStatement } from '../run-statement.ts';
import { writeTarget } from './write-target.ts';

// Each decision was made on a row that was read before, so the statement compares its version.
const textOf = (alsoDone: string): string => `
WITH input AS (
  SELECT t.* FROM (
    SELECT set_config('lock_timeout', $20::text, true), ${countMessages('$21')}) AS limits, unnest(
    $24::uuid[], $1::uuid[], $2::int[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::bool[], $11::text[], $12::text[], $13::text[], $14::float8[], $15::float8[],
    $16::text[], $17::text[], $18::bool[], $19::text[], $22::int[], $23::text[], $25::text[]
  ) AS t(workspace_id, id, version, dispatch, resends, lookups, status, provider_status, provider_sid,
         vendor_account_id, sid_adopted, "from", error_code, error_detail, not_before_in_ms,
         due_in_ms, event_type, event_detail, visible, error_status, proved_resends, failed_accounts,
         provider_id)
),
-- Each row carries its change through the statement: the planner expects few rows of a CTE, and would
-- join two of them by comparing each row with each row.
target AS (
  SELECT i.*, m.last_event
  FROM messages m JOIN input i
    ON i.workspace_id = m.workspace_id AND i.id = m.id AND i.version = m.version
  ORDER BY m.id FOR UPDATE OF m
),
${writeTarget({ numbering: '$21', alsoDone, selected: 'id, workspace_id AS "workspaceId", seq' })}`;

const APPLY: Prepared = { name: 'apply_changes', growsWith: 'messages', text: textOf('') };

// Only for the rare batch with an opt-out, so that other batches do not pay for it. Every statement
// that writes opt-outs and other rows locks the shared counters of their workspaces first, so that
// two of these statements never deadlock.
const APPLY_AND_OPT_OUT: Prepared = {
  name: 'apply_changes_and_opt_out',
  growsWith: 'messages',
  text: textOf(`,
opting_out AS (SELECT * FROM changed WHERE id = ANY($26::uuid[])),
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

/** Writes changes to different messages in one statement. */
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
      column((c) => c.next.vendorAccountId),
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
      numberingOf(pool),
      column((c) => c.next.provedResends),
      column((c) => c.next.failedAccounts.join(' ') || null),
      column((c) => c.workspaceId),
      column((c) => c.next.providerId),
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
