import type pg from 'pg';
import { anyLength } from '../array-parameter.ts';
import { type Prepared, runStatement } from '../run-statement.ts';
import { DISPATCH_ROW_COLUMNS, JOIN_ACCOUNT, type TraceableRow } from './dispatch-row-columns.ts';

const FROM = `messages m ${JOIN_ACCOUNT}`;

const READ: Prepared = {
  name: 'read_dispatch_rows',
  growsWith: 'messages',
  text: `SELECT ${DISPATCH_ROW_COLUMNS} FROM ${FROM} WHERE m.id = ANY(${anyLength('$1', 'uuid')})`,
};

/** Reads the current rows without a lock, because a change compares their version. */
export async function readDispatchRows(
  pool: pg.Pool,
  ids: readonly string[],
): Promise<Map<string, TraceableRow>> {
  const rows = await runStatement<TraceableRow>(pool, READ, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Finds the row with a provider's identifier. */
export async function findRowByProviderSid(
  pool: pg.Pool,
  providerAccount: string,
  providerSid: string,
): Promise<TraceableRow | null> {
  const [row] = await runStatement<TraceableRow>(
    pool,
    `SELECT ${DISPATCH_ROW_COLUMNS} FROM ${FROM}
     WHERE m.provider_sid = $1 AND m.provider_account = $2`,
    [providerSid, providerAccount],
  );
  return row ?? null;
}
