import type { Prisma } from '../generated/client.ts';

const COLUMNS = `id, workspace_id, type, account_sid, auth_token_encrypted, auth_token_last4,
  messaging_service_sid, on_unknown, created_at, updated_at, refused_since, refused_detail,
  verified_credentials, failing_since, failing_detail, probe_at, probes, inbound_check_at, name,
  enabled, recovered_at, country`;

const move = (from: string, to: string, isDefault: string, condition: string): string => `
WITH moved AS (DELETE FROM ${from} WHERE workspace_id = $1::uuid AND ${condition} RETURNING *)
INSERT INTO ${to} (${COLUMNS}, is_default, is_routed)
SELECT ${COLUMNS}, ${isDefault}, COALESCE((
  SELECT r.rules <> '[]' FROM workspace_routing r WHERE r.workspace_id = $1::uuid), false)
FROM moved`;

/** Turns the default account into one of the others, which keeps its numbers. */
export async function moveToOthers(
  tx: Prisma.TransactionClient,
  workspaceId: string,
): Promise<void> {
  await tx.$executeRawUnsafe(
    `UPDATE phone_numbers SET provider_id = (
       SELECT id FROM provider_configurations WHERE workspace_id = $1::uuid)
     WHERE workspace_id = $1::uuid AND provider_id IS NULL`,
    workspaceId,
  );
  await tx.$executeRawUnsafe(
    move('provider_configurations', 'provider_accounts', 'false', 'true'),
    workspaceId,
  );
}

/** Makes one of the other accounts the default. There must be no default account. */
export async function moveToDefault(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  id: string,
): Promise<void> {
  await tx.$executeRawUnsafe(
    move('ONLY provider_accounts', 'provider_configurations', 'true', 'id = $2::uuid'),
    workspaceId,
    id,
  );
}
