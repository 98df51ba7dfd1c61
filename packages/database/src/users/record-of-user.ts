import type { AuditAction } from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Prisma } from '../generated/client.ts';

/** Records a change of a user's account in the audit trail of each workspace of the user. */
export async function recordOfUser(
  tx: Prisma.TransactionClient,
  userId: string,
  action: AuditAction,
  detail: Prisma.InputJsonObject,
  by: Actor = { kind: 'user', userId },
): Promise<void> {
  const memberships = await tx.member.findMany({
    where: { userId },
    select: { workspaceId: true },
  });
  for (const { workspaceId } of memberships) {
    await recordAudit(tx, by, { workspaceId, action, target: userId, detail });
  }
}
