import { QUOTAS, type Role } from '@switchboard/core';
import { OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';
import { endMembership, isLastOwner, withdrawInvites } from './end-membership.ts';

/**
 * Gives a user the roles of their groups: adds, changes and removes memberships that groups gave. One that an owner gave,
 * or whose role an owner has changed, stays as it is, and so does the last owner of a workspace. Returns the
 * workspaces that the user lost, and those in which the user has another role or has become a member.
 */
export type ApplyGroupRoles = (
  user: { id: string; email: string },
  roles: ReadonlyMap<string, Role>,
  /** The address from which the user signs in. */
  ip: string,
) => Promise<{ removedFrom: string[]; changedIn: string[] }>;

type Outcome = 'unchanged' | 'changed' | 'removed';

export function createApplyGroupRoles({ prisma }: Pick<Database, 'prisma'>): ApplyGroupRoles {
  return async function applyGroupRoles(user, roles, ip) {
    const current = await prisma.member.findMany({
      where: { userId: user.id },
      select: { workspaceId: true, role: true, isFromGroup: true },
    });
    const given = current.filter(({ isFromGroup }) => isFromGroup);
    const workspaceIds = new Set([...roles.keys(), ...given.map((each) => each.workspaceId)]);
    const outcomes = new Map<string, Outcome>();
    for (const workspaceId of workspaceIds) {
      const role = roles.get(workspaceId) ?? null;
      const member = current.find((each) => each.workspaceId === workspaceId);
      // Most sign-ins change nothing, and then lock nothing.
      if (member !== undefined && (!member.isFromGroup || member.role === role)) continue;
      const outcome = await prisma.$transaction((tx) =>
        apply(tx, workspaceId, { ...user, ip }, role),
      );
      outcomes.set(workspaceId, outcome);
    }
    const listOf = (wanted: Outcome) =>
      [...outcomes].filter(([, outcome]) => outcome === wanted).map(([id]) => id);
    return { removedFrom: listOf('removed'), changedIn: listOf('changed') };
  };
}

/** Applies the role in one workspace, null to remove the user. */
async function apply(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  { id: userId, email, ip }: { id: string; email: string; ip: string },
  role: Role | null,
): Promise<Outcome> {
  await lockWorkspace(tx, workspaceId);
  const key = { workspaceId_userId: { workspaceId, userId } };
  const member = await tx.member.findUnique({
    where: key,
    select: { role: true, isFromGroup: true },
  });
  const entry = { workspaceId, target: userId };
  const via = 'single_sign_on';
  if (member === null) {
    if (role === null || !(await hasRoom(tx, workspaceId))) return 'unchanged';
    const data = { workspaceId, userId, role, createdAt: new Date(), isFromGroup: true };
    await tx.member.create({ data });
    const detail = { email, role, via };
    await recordAudit(
      tx,
      { kind: 'user', userId, ip },
      { ...entry, action: 'member.joined', detail },
    );
    return 'changed';
  }
  if (!member.isFromGroup || member.role === role) return 'unchanged';
  if (await isLastOwner(tx, workspaceId, member)) return 'unchanged';
  if (role === null) {
    await endMembership(tx, workspaceId, userId);
    const detail = { email, role: member.role, via };
    await recordAudit(tx, { ...OPERATOR, ip }, { ...entry, action: 'member.removed', detail });
    return 'removed';
  }
  await tx.member.update({ where: key, data: { role } });
  if (member.role === 'owner') await withdrawInvites(tx, workspaceId, userId);
  const detail = { email, from: member.role, to: role, via };
  await recordAudit(tx, { ...OPERATOR, ip }, { ...entry, action: 'member.role_changed', detail });
  return 'changed';
}

/** Whether the workspace exists, is open and can have another member. */
async function hasRoom(tx: Prisma.TransactionClient, workspaceId: string): Promise<boolean> {
  const found = await tx.workspace.findFirst({
    where: { id: workspaceId, closedAt: null },
    select: { _count: { select: { members: true } } },
  });
  return found !== null && found._count.members < QUOTAS.membersPerWorkspace;
}
