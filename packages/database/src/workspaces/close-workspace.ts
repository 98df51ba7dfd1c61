import { testWorkspaceOf } from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';
import { lockWorkspace } from './lock-workspace.ts';

/** Who has lost access, so that their sockets are closed. */
export interface ClosedAccess {
  userIds: string[];
  apiKeyIds: string[];
}

/**
 * Closes a workspace and its test workspace: from then on no user and no key has access, and nothing is accepted, sent or received. Workers settle
 * what is in flight, and delete the data. `wrong_name`: the name is not that of the workspace. `missing`: it is
 * closed already.
 */
export type CloseWorkspace = (
  workspaceId: string,
  name: string,
  by: Actor,
) => Promise<ClosedAccess | 'wrong_name' | 'missing'>;

export function createCloseWorkspace({ prisma }: Pick<Database, 'prisma'>): CloseWorkspace {
  return (workspaceId, name, by) =>
    prisma.$transaction(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      return closeLocked(tx, workspaceId, by, name);
    });
}

/** Closes a workspace that the transaction has locked. Without a name, none is compared. */
export async function closeLocked(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  by: Actor,
  name?: string,
): Promise<ClosedAccess | 'wrong_name' | 'missing'> {
  const where = { id: workspaceId, closedAt: null };
  const open = await tx.workspace.findFirst({ where, select: { name: true } });
  if (open === null) return 'missing';
  if (name !== undefined && name !== open.name) return 'wrong_name';
  await tx.$executeRaw`
    UPDATE workspaces SET closed_at = now(), next_step_at = now() WHERE id = ${workspaceId}::uuid`;
  const detail = { name: open.name };
  const target = workspaceId;
  await recordAudit(tx, by, { workspaceId, action: 'workspace.closed', target, detail });
  return endAccess(tx, workspaceId);
}

/** Ends what may send, receive or join. The accounts stay, so that the outcome of what is in flight becomes known. */
export async function endAccess(
  tx: Prisma.TransactionClient,
  workspaceId: string,
): Promise<ClosedAccess> {
  const bothModes = { in: [workspaceId, testWorkspaceOf(workspaceId)] };
  const members = await tx.member.findMany({ where: { workspaceId }, select: { userId: true } });
  const active = { workspaceId: bothModes, revokedAt: null };
  const keys = await tx.apiKey.findMany({ where: active, select: { id: true } });
  await tx.apiKey.updateMany({ where: active, data: { revokedAt: new Date() } });
  await tx.providerAccount.updateMany({
    where: { workspaceId: bothModes, enabled: true },
    data: { enabled: false },
  });
  await tx.phoneNumber.deleteMany({ where: { workspaceId: bothModes } });
  await tx.invite.deleteMany({ where: { workspaceId } });
  await tx.member.deleteMany({ where: { workspaceId } });
  return {
    userIds: members.map(({ userId }) => userId),
    apiKeyIds: keys.map(({ id }) => id),
  };
}
