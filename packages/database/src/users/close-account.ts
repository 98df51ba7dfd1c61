import { CLOSED_ACCOUNT, closedAddressOf } from '../audit/closed-account.ts';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';
import { enqueueMail } from '../mails/enqueue-mail.ts';
import { endMembership, isLastOwner } from '../members/end-membership.ts';
import { type ClosedAccess, closeLocked } from '../workspaces/close-workspace.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';

export interface ClosedAccount {
  kind: 'closed';
  endedSessionIds: string[];
  /** The workspaces that the user has left. */
  left: string[];
  /** Those that were closed, because the user was their only member. */
  closed: ({ workspaceId: string } & ClosedAccess)[];
  /** How many workspaces still have the user as their only owner, because others joined during the request. */
  kept: number;
}

/** `only_owner`: the names of workspaces that have other members and would have no owner. */
export type AccountClosing = ClosedAccount | { kind: 'only_owner'; names: string[] };

/**
 * Closes an account: the user leaves all workspaces, those without another member are closed, and then all that the user could sign in with,
 * the name and the address are removed. A request that fails before that may be repeated.
 */
export type CloseAccount = (by: UserActor) => Promise<AccountClosing>;

type UserActor = Extract<Actor, { kind: 'user' }>;

export function createCloseAccount({ prisma }: Pick<Database, 'prisma'>): CloseAccount {
  const listMemberships = (userId: string) =>
    prisma.member.findMany({
      where: { userId },
      select: { workspaceId: true, role: true, workspace: { select: { name: true } } },
      orderBy: { createdAt: 'asc' },
    });

  /** Returns the names of the workspaces that the user must not leave. */
  async function findOnlyOwned(userId: string): Promise<string[]> {
    const names: string[] = [];
    for (const { workspaceId, role, workspace } of await listMemberships(userId)) {
      const isAlone = (await prisma.member.count({ where: { workspaceId } })) === 1;
      if (!isAlone && (await isLastOwner(prisma, workspaceId, { role })))
        names.push(workspace.name);
    }
    return names;
  }

  /** Closes no workspace before the user has left all that have other members, because that may be refused. */
  async function leaveAll(by: UserActor, account: ClosedAccount): Promise<string[]> {
    const memberships = await listMemberships(by.userId);
    for (const closesAlone of [false, true]) {
      const names: string[] = [];
      for (const { workspaceId, workspace } of memberships) {
        const left = await prisma.$transaction((tx) => leave(tx, workspaceId, by, closesAlone));
        if (left === 'only_owner') names.push(workspace.name);
        else if (left === 'left') account.left.push(workspaceId);
        else if (left !== 'missing' && left !== 'alone')
          account.closed.push({ workspaceId, ...left });
      }
      if (names.length > 0) return names;
    }
    return [];
  }

  return async function closeAccount(by) {
    const account: ClosedAccount = {
      kind: 'closed',
      endedSessionIds: [],
      left: [],
      closed: [],
      kept: 0,
    };
    // Nothing is left if one workspace forbids it; two owners who close their accounts at the same time wait for each other.
    const only = await findOnlyOwned(by.userId);
    const names = only.length > 0 ? only : await leaveAll(by, account);
    if (names.length > 0) return { kind: 'only_owner', names };
    account.endedSessionIds = await prisma.$transaction((tx) => removeUser(tx, by.userId));
    // A request that was in flight may have created a workspace, or accepted an invitation.
    account.kept = (await leaveAll(by, account)).length;
    return account;
  };
}

async function leave(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  by: UserActor,
  closesAlone: boolean,
): Promise<'left' | 'alone' | 'missing' | 'only_owner' | ClosedAccess> {
  await lockWorkspace(tx, workspaceId);
  const { userId } = by;
  const key = { workspaceId_userId: { workspaceId, userId } };
  const member = await tx.member.findUnique({ where: key, select: { role: true } });
  if (member === null) return 'missing';
  if ((await tx.member.count({ where: { workspaceId } })) === 1) {
    if (!closesAlone) return 'alone';
    const closed = await closeLocked(tx, workspaceId, by);
    return closed === 'wrong_name' ? 'missing' : closed;
  }
  if (await isLastOwner(tx, workspaceId, member)) return 'only_owner';
  await endMembership(tx, workspaceId, userId);
  const detail = { role: member.role, account_closed: true };
  await recordAudit(tx, by, { workspaceId, action: 'member.left', target: userId, detail });
  return 'left';
}

/**
 * The row stays, without a person: what remains in workspaces names its author by it. The address is none, so no person signs up or in
 * with it.
 */
async function removeUser(tx: Prisma.TransactionClient, userId: string): Promise<string[]> {
  const [user] = await tx.$queryRaw<{ email: string }[]>`
    SELECT email FROM users WHERE id = ${userId}::uuid FOR UPDATE`;
  if (user === undefined) return [];
  const { email } = user;
  const ended = await tx.$queryRaw<{ id: string }[]>`
    DELETE FROM sessions WHERE user_id = ${userId}::uuid RETURNING id`;
  const ofUser = { where: { userId } };
  await tx.accountToken.deleteMany(ofUser);
  await tx.userIdentity.deleteMany(ofUser);
  await tx.secondFactor.deleteMany(ofUser);
  // An invitation of the address stays, and changes of the account until they are in the audit trails.
  const toAddress = { recipient: email, kind: { in: ['password_reset', 'email_confirmation'] } };
  await tx.mail.deleteMany({ where: { OR: [{ userId }, toAddress] } });
  await tx.user.update({
    where: { id: userId },
    data: {
      email: closedAddressOf(userId),
      name: CLOSED_ACCOUNT,
      passwordHash: null,
      emailConfirmedAt: null,
      pendingEmail: null,
    },
  });
  await enqueueMail(tx, { kind: 'account_closed', recipient: email, userId });
  return ended.map(({ id }) => id);
}
