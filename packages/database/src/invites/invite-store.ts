import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import type { Role } from '../workspaces/workspace-store.ts';

/** Offers of membership to people who are no users yet. `UserStore.createInvited` spends them. */
export interface InviteStore {
  /**
   * Replaces an earlier invite of the same person. `not_an_owner`: whoever invites has lost the
   * right to it just now.
   */
  put(invite: {
    workspaceId: string;
    email: string;
    role: Role;
    tokenHash: Buffer;
    invitedBy: string;
    createdAt: Date;
    expiresAt: Date;
  }): Promise<'put' | 'not_an_owner'>;
}

export function createInviteStore({ prisma }: Pick<Database, 'prisma'>): InviteStore {
  return {
    put(invite) {
      const { workspaceId, email, invitedBy } = invite;
      const fields = { ...invite, tokenHash: new Uint8Array(invite.tokenHash) };
      const by: Actor = { kind: 'user', userId: invitedBy };
      return prisma.$transaction(async (tx) => {
        // Roles are changed under a lock on the workspace: an owner who is being removed leaves no
        // invite behind.
        await tx.$queryRaw`
          SELECT 1 FROM workspaces WHERE id = ${workspaceId}::uuid FOR NO KEY UPDATE`;
        const inviter = { workspaceId, userId: invitedBy, role: 'owner' } as const;
        if ((await tx.member.count({ where: inviter })) === 0) return 'not_an_owner';
        await tx.invite.upsert({
          where: { workspaceId_email: { workspaceId, email } },
          create: fields,
          update: fields,
        });
        const detail = { role: invite.role };
        await recordAudit(tx, by, { workspaceId, action: 'member.invited', target: email, detail });
        return 'put';
      });
    },
  };
}
