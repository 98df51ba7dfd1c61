import { type Role, testWorkspaceOf } from '@switchboard/core';
import type { Prisma } from '../generated/client.ts';

type Client = Pick<Prisma.TransactionClient, 'member'>;

/** Whether the workspace would have no owner without the member. The caller has locked the workspace. */
export async function isLastOwner(
  client: Client,
  workspaceId: string,
  member: { role: Role },
): Promise<boolean> {
  if (member.role !== 'owner') return false;
  return (await client.member.count({ where: { workspaceId, role: 'owner' } })) === 1;
}

/** Removes a member, with what only a member may have. */
export async function endMembership(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  userId: string,
): Promise<void> {
  await tx.member.delete({ where: { workspaceId_userId: { workspaceId, userId } } });
  await withdrawInvites(tx, workspaceId, userId);
  const bothModes = { in: [workspaceId, testWorkspaceOf(workspaceId)] };
  const assigned = { workspaceId: bothModes, assigneeId: userId };
  await tx.conversation.updateMany({ where: assigned, data: { assigneeId: null } });
}

/** Deletes the invites of a user who may no longer invite, so that the user can't rejoin with one. */
export async function withdrawInvites(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  invitedBy: string,
): Promise<void> {
  await tx.invite.deleteMany({ where: { workspaceId, invitedBy } });
}
