import { QUOTAS, type Role } from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';
import { enqueueMail } from '../mails/enqueue-mail.ts';
import type { User } from '../users/user-store.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';
import {
  type FoundInvite,
  type InviteRefusal,
  findInviteRefusal,
  lockInvite,
  acceptInvite,
  confirmMailedAddress,
} from '../members/accept-invite.ts';

export interface StoredInvite {
  id: string;
  email: string;
  role: Role;
  inviter: { id: string; name: string };
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Invites sent to an email address, whose owner may or may not be a user. A sign-up with one creates the user, who then accepts it.
 */
export interface InviteStore {
  /**
   * Replaces an earlier invite to the same person. `not_an_owner`: the inviter is no longer an
   * owner. `quota_exceeded`: the workspace has reached its limit of open invites.
   */
  put(
    invite: {
      workspaceId: string;
      email: string;
      role: Role;
      tokenHash: Buffer;
      invitedBy: string;
      createdAt: Date;
      expiresAt: Date;
    },
    options: { byMail?: boolean; ip: string },
  ): Promise<'put' | 'not_an_owner' | 'already_member' | 'quota_exceeded'>;
  /** Lists the newest invites first, without expired ones. */
  list(workspaceId: string, page: PageRequest): Promise<Page<StoredInvite>>;
  /** Returns false if there is no such invite. */
  withdraw(workspaceId: string, id: string, by: Actor): Promise<boolean>;
  /** Returns why the invite would be refused now, or null if it would be accepted. */
  findRefusal(tokenHash: Buffer): Promise<InviteRefusal | null>;
  accept(
    tokenHash: Buffer,
    user: User,
    ip: string,
    at: Date,
  ): Promise<FoundInvite | InviteRefusal | 'already_member'>;
}

export function createInviteStore({ prisma }: Pick<Database, 'prisma'>): InviteStore {
  return {
    put(invite, { byMail = false, ip }) {
      const { workspaceId, email, invitedBy } = invite;
      // The link of an earlier mail becomes void.
      const fields = {
        ...invite,
        tokenHash: new Uint8Array(invite.tokenHash),
        mailTokenHash: null,
      };
      const by: Actor = { kind: 'user', userId: invitedBy, ip };
      return prisma.$transaction(async (tx) => {
        // Roles change under the same lock, so an owner who is being removed can't leave an invite
        // behind.
        await lockWorkspace(tx, workspaceId);
        const inviter = { workspaceId, userId: invitedBy, role: 'owner' } as const;
        if ((await tx.member.count({ where: inviter })) === 0) return 'not_an_owner';
        const isMember = (await tx.member.count({ where: { workspaceId, user: { email } } })) > 0;
        if (isMember) return 'already_member';
        const expired = { workspaceId, expiresAt: { lte: invite.createdAt } };
        await tx.invite.deleteMany({ where: expired });
        const others = await tx.invite.count({ where: { workspaceId, email: { not: email } } });
        if (others >= QUOTAS.invitesPerWorkspace) return 'quota_exceeded';
        await tx.invite.upsert({
          where: { workspaceId_email: { workspaceId, email } },
          create: fields,
          update: fields,
        });
        if (byMail) await enqueueMail(tx, { kind: 'invitation', recipient: email, workspaceId });
        const detail = { role: invite.role };
        await recordAudit(tx, by, { workspaceId, action: 'member.invited', target: email, detail });
        return 'put';
      });
    },

    list(workspaceId, page) {
      const where = { workspaceId, expiresAt: { gt: new Date() } };
      return listPage(
        page,
        () => prisma.invite.count({ where }),
        (range) =>
          prisma.invite.findMany({
            ...range,
            where,
            select: {
              id: true,
              email: true,
              role: true,
              inviter: { select: { id: true, name: true } },
              createdAt: true,
              expiresAt: true,
            },
            orderBy: [{ createdAt: 'desc' }, { email: 'asc' }],
          }),
      );
    },

    withdraw(workspaceId, id, by) {
      return prisma.$transaction(async (tx) => {
        const [withdrawn] = await tx.$queryRaw<{ email: string; role: Role }[]>`
          DELETE FROM invites WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid
            AND expires_at > now()
          RETURNING email, role`;
        if (withdrawn === undefined) return false;
        const { email, role } = withdrawn;
        await recordAudit(tx, by, {
          workspaceId,
          action: 'invite.withdrawn',
          target: email,
          detail: { role },
        });
        return true;
      });
    },

    async findRefusal(tokenHash) {
      const found = await prisma.invite.findFirst({
        where: {
          OR: [
            { tokenHash: new Uint8Array(tokenHash) },
            { mailTokenHash: new Uint8Array(tokenHash) },
          ],
          expiresAt: { gt: new Date() },
        },
        select: { workspaceId: true },
      });
      return findInviteRefusal(prisma, found);
    },

    async accept(tokenHash, user, ip, at) {
      await confirmMailedAddress({ prisma }, tokenHash, user, at);
      return prisma.$transaction(async (tx) => {
        const invite = await lockInvite(tx, tokenHash);
        if (typeof invite === 'string') return invite;
        return (await acceptInvite(tx, invite, { userId: user.id, ip }, at))
          ? invite
          : 'already_member';
      });
    },
  };
}
