import { type AuditAction, liveWorkspaceOf, modeOf } from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Prisma } from '../generated/client.ts';

/**
 * Records a change of a key in the audit trail of the workspace, which has the keys of both modes. The detail of a test key has
 * its mode.
 */
export function recordKeyChange(
  tx: Parameters<typeof recordAudit>[0],
  by: Actor,
  { workspaceId, detail, ...entry }: KeyChange,
): Promise<void> {
  const mode = modeOf(workspaceId);
  return recordAudit(tx, by, {
    ...entry,
    workspaceId: liveWorkspaceOf(workspaceId),
    detail: { ...detail, ...(mode === 'test' && { mode }) },
  });
}

interface KeyChange {
  workspaceId: string;
  action: Extract<AuditAction, `api_key.${string}`>;
  target: string;
  detail: Prisma.InputJsonObject;
}
