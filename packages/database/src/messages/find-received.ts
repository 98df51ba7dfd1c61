import type pg from 'pg';
import { runStatement } from '../run-statement.ts';

/**
 * Finds which of a provider's identifiers a workspace has received, using
 * messages_received_once_idx.
 */
export async function findReceived(
  pool: pg.Pool,
  workspaceId: string,
  account: string,
  sids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await runStatement<{ sid: string }>(
    pool,
    `SELECT provider_sid AS sid FROM messages
     WHERE direction = 'inbound' AND workspace_id = $1::uuid AND provider_account = $2
       AND provider_sid = ANY($3::text[])`,
    [workspaceId, account, sids],
  );
  return new Set(rows.map(({ sid }) => sid));
}
