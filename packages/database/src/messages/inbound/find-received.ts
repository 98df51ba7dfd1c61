import type pg from 'pg';
import { runStatement } from '../../run-statement.ts';

/** Finds which of a provider's identifiers a workspace has received. */
export async function findReceived(
  pool: pg.Pool,
  workspaceId: string,
  vendorAccountId: string,
  sids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await runStatement<{ sid: string }>(
    pool,
    `SELECT provider_sid AS sid FROM provider_sids
     WHERE direction = 'inbound' AND workspace_id = $1::uuid AND vendor_account_id = $2
       AND provider_sid = ANY($3::text[])`,
    [workspaceId, vendorAccountId, sids],
  );
  return new Set(rows.map(({ sid }) => sid));
}
