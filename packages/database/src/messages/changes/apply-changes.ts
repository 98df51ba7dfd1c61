import { type ApplyResult, type Change, ERASED } from '@switchboard/core';
import { COUNTS_ITSELF } from '../events/count-changes.ts';
import type { EventWriter } from '../events/event-numbering.ts';
import { lockForOptOuts } from '../events/take-event-numbers.ts';
import { defineRows, defineStatement } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';
import { writeTarget } from './write-target.ts';

const CHANGES = defineRows<Change>('i', {
  workspace_id: ['uuid', (c) => c.workspaceId],
  id: ['uuid', (c) => c.id],
  version: ['int', (c) => c.expectedVersion],
  dispatch: ['text', (c) => c.next.dispatch],
  resends: ['int', (c) => c.next.resends],
  proved_resends: ['int', (c) => c.next.provedResends],
  failed_accounts: ['text', (c) => c.next.failedAccounts.join(' ') || null],
  lookups: ['int', (c) => c.next.lookups],
  status: ['text', (c) => c.next.status],
  provider_status: ['text', (c) => c.next.providerStatus],
  provider_sid: ['text', (c) => c.next.providerSid],
  provider_id: ['text', (c) => c.next.providerId],
  vendor_account_id: ['text', (c) => c.next.vendorAccountId],
  sid_adopted: ['bool', (c) => c.next.sidAdopted],
  from: ['text', (c) => c.next.from],
  error_code: ['text', (c) => c.next.errorCode],
  error_detail: ['text', (c) => c.next.errorDetail],
  error_status: ['text', (c) => c.next.errorStatus],
  not_before_in_ms: ['float8', (c) => c.notBeforeInMs],
  due_in_ms: ['float8', (c) => c.dueInMs],
  event_type: ['text', (c) => c.event?.type ?? null],
  event_detail: ['text', (c) => c.event?.detail ?? null],
  visible: ['bool', (c) => c.event?.visible ?? false],
});

/** The table that has the state of a message. */
export type Table = 'message_progress' | 'message_records';

// A finished message has no attempt without an event.
const ATTEMPT: Readonly<Record<Table, string>> = {
  message_progress: 'm.attempt_started_at, m.attempt_detail',
  message_records: 'NULL::timestamptz AS attempt_started_at, NULL::text AS attempt_detail',
};

// Each decision was made on a row that was read before, so the statement compares its version. A row that has left
// `table` since has another one.
const textOf = (table: Table, alsoDone: string): string => `
WITH input AS (
  SELECT i.* FROM (
    SELECT set_config('lock_timeout', :lockTimeoutMs::text, true), ${COUNTS_ITSELF}) AS limits,
    ${CHANGES.unnest}
),
-- Each row carries its change through the statement: the planner expects few rows of a CTE, and would
-- join two of them by comparing each row with each row.
target AS (
  SELECT i.*, m.status AS old_status, ${ATTEMPT[table]}, m.last_event, m.provider_sid AS old_sid, m.vendor_account_id AS old_vendor_account_id
  FROM ${table} m JOIN input i
    ON i.workspace_id = m.workspace_id AND i.id = m.id AND i.version = m.version
  ORDER BY m.id FOR UPDATE OF m
),
${writeTarget({
  table,
  numbering: ':numbering',
  alsoDone,
  selected: 'SELECT id, workspace_id AS "workspaceId", seq FROM changed',
})}`;

const GROWS_WITH = ['message_progress', 'message_records'] as const;
const VALUES = ['lockTimeoutMs', 'numbering'] as const;

const define = (name: string, table: Table) =>
  defineStatement(
    { name, growsWith: GROWS_WITH, text: textOf(table, '') },
    { rows: CHANGES, values: VALUES },
  );

// Only for the rare batch with an opt-out, so that other batches do not pay for it. Every statement
// that writes opt-outs and other rows locks the shared counters of their workspaces first, so that
// two of these statements never deadlock.
const defineWithOptOuts = (name: string, table: Table) =>
  defineStatement(
    {
      name,
      growsWith: GROWS_WITH,
      text: textOf(
        table,
        `,
opting_out AS (SELECT * FROM changed WHERE id = ANY(:optingOut::uuid[])),
${lockForOptOuts('opting_out')},
opted_out AS (
  INSERT INTO opt_outs (workspace_id, number, reason, created_at)
  -- One row for each number: a statement cannot update a row twice.
  SELECT DISTINCT ON (o.workspace_id, o."to") o.workspace_id, o."to", 'provider ' || o.error_code, now()
  FROM opting_out o LEFT JOIN opt_out_locks l USING (workspace_id)
  -- A message that was erased after its outcome has no number.
  WHERE o."to" <> '${ERASED}'
  ON CONFLICT (workspace_id, number) DO UPDATE SET latest_at = excluded.created_at
)`,
      ),
    },
    { rows: CHANGES, values: [...VALUES, 'optingOut'] as const },
  );

const STATEMENTS = {
  message_progress: {
    apply: define('apply_changes', 'message_progress'),
    withOptOuts: defineWithOptOuts('apply_changes_and_opt_out', 'message_progress'),
  },
  message_records: {
    apply: define('apply_late_changes', 'message_records'),
    withOptOuts: defineWithOptOuts('apply_late_changes_and_opt_out', 'message_records'),
  },
};

interface AppliedRow {
  id: string;
  workspaceId: string;
  seq: number | null;
}

/**
 * Writes changes to different messages in one statement: either all of messages in progress or all of finished ones.
 */
export async function applyChanges(
  { pool, numbering }: EventWriter,
  table: Table,
  changes: readonly Change[],
  lockTimeoutMs: number,
): Promise<ApplyResult[]> {
  const optingOut = changes.filter((c) => c.optsOut).map((c) => c.id);
  const values = { lockTimeoutMs: String(lockTimeoutMs), numbering: numbering.value };
  const { apply, withOptOuts } = STATEMENTS[table];
  const rows =
    optingOut.length > 0
      ? await runStatement<AppliedRow>(
          pool,
          withOptOuts,
          withOptOuts.toValues(changes, { ...values, optingOut }),
        )
      : await runStatement<AppliedRow>(pool, apply, apply.toValues(changes, values));
  const applied = new Map(rows.map((row) => [row.id, row]));
  return changes.map((change) => {
    const row = applied.get(change.id);
    if (row === undefined) return { kind: 'stale' };
    return { kind: 'applied', workspaceId: row.workspaceId, seq: row.seq };
  });
}
