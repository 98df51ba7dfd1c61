import { QUOTAS } from '@switchboard/core';
import type { Database } from '../database.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';
import { type FoundInvite, acceptInvite, findInviteRefusal } from './accept-invite.ts';

/** Invitations of an address that an identity provider has verified. */
export interface InvitesOfAddress {
  exist(email: string): Promise<boolean>;
  /**
   * Accepts the invitations of a user who has just been created. Everyone else accepts each with its link, so that no owner
   * of another workspace adds them without being asked.
   */
  acceptAll(user: { id: string; email: string }, ip: string, at: Date): Promise<void>;
}

export function createInvitesOfAddress({ prisma }: Pick<Database, 'prisma'>): InvitesOfAddress {
  const listOpen = (email: string, take: number) =>
    prisma.invite.findMany({
      where: { email, expiresAt: { gt: new Date() } },
      select: { workspaceId: true },
      orderBy: { createdAt: 'asc' },
      take,
    });

  return {
    exist: async (email) => (await listOpen(email, 1)).length > 0,

    async acceptAll({ id: userId, email }, ip, at) {
      for (const { workspaceId } of await listOpen(email, QUOTAS.workspacesPerOwner)) {
        await prisma.$transaction(async (tx) => {
          await lockWorkspace(tx, workspaceId);
          const [invite] = await tx.$queryRaw<FoundInvite[]>`
            SELECT workspace_id AS "workspaceId", email, role FROM invites
            WHERE workspace_id = ${workspaceId}::uuid AND email = ${email} AND expires_at > now()
            FOR UPDATE`;
          if (invite === undefined || (await findInviteRefusal(tx, invite)) !== null) return;
          await acceptInvite(tx, invite, { userId, ip }, at);
        });
      }
    },
  };
}
