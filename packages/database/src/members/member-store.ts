import type { Role } from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';
import { endMembership, isLastOwner, withdrawInvites } from './end-membership.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';

export interface StoredMember {
  userId: string;
  email: string;
  name: string;
  role: Role;
  /** Whether a group of single sign-on gave the membership, and may change or end it. */
  isFromGroup: boolean;
  createdAt: Date;
}

export interface MemberStore {
  /** Lists the members in the order in which they joined. */
  list(workspaceId: string, page: PageRequest): Promise<Page<StoredMember>>;
  find(workspaceId: string, userId: string): Promise<StoredMember | null>;
  /** Also the same role makes a membership that a group gave the owner's decision: it stays without the group. */
  changeRole(
    workspaceId: string,
    userId: string,
    role: Role,
    by: Actor,
  ): Promise<StoredMember | 'missing' | 'last_owner'>;
  remove(
    workspaceId: string,
    userId: string,
    by: Actor,
  ): Promise<'removed' | 'missing' | 'last_owner'>;
}

const WITH_USER = { user: { select: { email: true, name: true } } } as const;

export function createMemberStore({ prisma }: Pick<Database, 'prisma'>): MemberStore {
  return {
    list(workspaceId, page) {
      const where = { workspaceId };
      return listPage(
        page,
        () => prisma.member.count({ where }),
        async (range) => {
          const members = await prisma.member.findMany({
            ...range,
            where,
            include: WITH_USER,
            orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
          });
          return members.map(toStoredMember);
        },
      );
    },

    find: (workspaceId, userId) => findMember(prisma, workspaceId, userId),

    changeRole(workspaceId, userId, role, by) {
      return prisma.$transaction(async (tx) => {
        // Locked, so that two owners can't remove each other at the same time.
        await lockWorkspace(tx, workspaceId);
        const member = await findMember(tx, workspaceId, userId);
        if (member === null) return 'missing';
        const isChanged = member.role !== role;
        if (!isChanged && !member.isFromGroup) return member;
        if (isChanged && (await isLastOwner(tx, workspaceId, member))) return 'last_owner';
        await tx.member.update({
          where: { workspaceId_userId: { workspaceId, userId } },
          // From now on, the role is the owner's decision and no group changes it.
          data: { role, isFromGroup: false },
        });
        if (isChanged && member.role === 'owner') await withdrawInvites(tx, workspaceId, userId);
        await recordAudit(tx, by, {
          workspaceId,
          action: 'member.role_changed',
          target: userId,
          detail: { email: member.email, from: member.role, to: role },
        });
        return { ...member, role, isFromGroup: false };
      });
    },

    remove(workspaceId, userId, by) {
      return prisma.$transaction(async (tx) => {
        // Locked, so that two owners can't remove each other at the same time.
        await lockWorkspace(tx, workspaceId);
        const member = await findMember(tx, workspaceId, userId);
        if (member === null) return 'missing';
        if (await isLastOwner(tx, workspaceId, member)) return 'last_owner';
        await endMembership(tx, workspaceId, userId);
        const isOwn = by.kind === 'user' && by.userId === userId;
        await recordAudit(tx, by, {
          workspaceId,
          action: isOwn ? 'member.left' : 'member.removed',
          target: userId,
          detail: { email: member.email, role: member.role },
        });
        return 'removed';
      });
    },
  };
}

type Client = Pick<Prisma.TransactionClient, 'member'>;

async function findMember(
  client: Client,
  workspaceId: string,
  userId: string,
): Promise<StoredMember | null> {
  const member = await client.member.findUnique({
    where: { workspaceId_userId: { workspaceId, userId } },
    include: WITH_USER,
  });
  return member === null ? null : toStoredMember(member);
}

function toStoredMember(member: {
  userId: string;
  role: Role;
  isFromGroup: boolean;
  createdAt: Date;
  user: { email: string; name: string };
}): StoredMember {
  const { userId, role, isFromGroup, createdAt, user } = member;
  return { userId, email: user.email, name: user.name, role, isFromGroup, createdAt };
}
