import type { MessageKey } from '@switchboard/core';
import type pg from 'pg';
import { anyLength } from '../../array-parameter.ts';
import { type Prepared, runStatement } from '../../run-statement.ts';
import { dispatchRowColumns, JOIN_ACCOUNT, type TraceableRow } from './dispatch-row-columns.ts';

/** The messages with identifiers `s`. */
const JOIN_MESSAGE = `JOIN messages m ON m.workspace_id = s.workspace_id AND m.id = s.message_id ${JOIN_ACCOUNT}`;

/** How many messages with one identifier are compared, if a provider gives it again and again. */
const MAX_OF_A_KEY = 100;

const READ: Prepared = {
  name: 'read_dispatch_rows',
  growsWith: ['message_progress', 'message_records'],
  text: `SELECT ${dispatchRowColumns()}
    FROM unnest(${anyLength('$1', 'uuid')}, ${anyLength('$2', 'uuid')}) AS k(workspace_id, id)
    JOIN messages m ON m.workspace_id = k.workspace_id AND m.id = k.id ${JOIN_ACCOUNT}`,
};

/** Reads the current rows without a lock, because a change compares their version. */
export async function readDispatchRows(
  pool: pg.Pool,
  keys: readonly MessageKey[],
): Promise<Map<string, TraceableRow>> {
  const unique = [...new Map(keys.map((key) => [`${key.workspaceId} ${key.id}`, key])).values()];
  const rows = await runStatement<TraceableRow>(pool, READ, [
    unique.map(({ workspaceId }) => workspaceId),
    unique.map(({ id }) => id),
  ]);
  return new Map(rows.map((row) => [`${row.workspaceId} ${row.id}`, row]));
}

// Only accounts with sessions have an @ in their identifier, and only they have an index of the keys.
const FIND_BY_KEYS = `
SELECT found.* FROM unnest($2::text[]) AS keys(key) CROSS JOIN LATERAL (
  SELECT ${dispatchRowColumns()}, m."to" FROM (
    SELECT s.workspace_id, s.message_id FROM provider_sids s
    WHERE s.vendor_account_id = $1 AND s.vendor_account_id LIKE '%@%' AND s.direction = 'outbound'
      AND ltrim(lower(split_part(s.provider_sid, '#', 1)), '0') = keys.key
    ORDER BY s.message_id DESC LIMIT ${MAX_OF_A_KEY}
  ) s ${JOIN_MESSAGE}
) AS found`;

/** Finds the newest messages of an account with sessions by the keys of their identifiers, oldest first. */
export async function findRowsBySidKeys(
  pool: pg.Pool,
  vendorAccountId: string,
  keys: readonly string[],
): Promise<(TraceableRow & { to: string })[]> {
  const rows = await runStatement<TraceableRow & { to: string }>(pool, FIND_BY_KEYS, [
    vendorAccountId,
    keys,
  ]);
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Finds the row with a provider's identifier. */
export async function findRowByProviderSid(
  pool: pg.Pool,
  vendorAccountId: string,
  providerSid: string,
): Promise<TraceableRow | null> {
  const [row] = await runStatement<TraceableRow>(
    pool,
    `SELECT ${dispatchRowColumns()} FROM provider_sids s ${JOIN_MESSAGE}
     WHERE s.provider_sid = $1 AND s.vendor_account_id = $2`,
    [providerSid, vendorAccountId],
  );
  return row ?? null;
}

/** Returns whether another workspace has events of a message, for which there is an index of message ids. */
export async function isElsewhere(
  pool: pg.Pool,
  { workspaceId, id }: MessageKey,
): Promise<boolean> {
  const rows = await runStatement(
    pool,
    'SELECT FROM message_events WHERE message_id = $1::uuid AND workspace_id <> $2::uuid LIMIT 1',
    [id, workspaceId],
  );
  return rows.length > 0;
}
