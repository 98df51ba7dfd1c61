import { QUOTAS, type Role } from '@switchboard/core';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';

export interface FoundInvite {
  workspaceId: string;
  email: string;
  role: Role;
}

/** Why an invite can't be accepted. */
export type InviteRefusal = 'invite_unknown' | 'quota_exceeded';

/**
 * Locks the workspace and the invite until the end of the transaction. If two requests accept the
 * invite, the second does not find it. If two users join the workspace, the second request counts
 * the first user.
 */
export async function lockInvite(
  tx: Prisma.TransactionClient,
  hash: Buffer,
): Promise<FoundInvite | InviteRefusal> {
  const tokenHash = new Uint8Array(hash);
  // The workspace is locked first, in the same order as when an invite is created.
  const where = { OR: [{ tokenHash }, { mailTokenHash: tokenHash }] };
  const present = await tx.invite.findFirst({ where, select: { workspaceId: true } });
  if (present === null) return 'invite_unknown';
  await lockWorkspace(tx, present.workspaceId);
  const [found] = await tx.$queryRaw<FoundInvite[]>`
    SELECT workspace_id AS "workspaceId", email, role FROM invites
    WHERE (token_hash = ${tokenHash} OR mail_token_hash = ${tokenHash}) AND expires_at > now()
    FOR UPDATE`;
  return (await findInviteRefusal(tx, found)) ?? (found as FoundInvite);
}

/** Returns why the invite is refused. Any user with its token may accept it. */
export async function findInviteRefusal(
  client: Pick<Prisma.TransactionClient, 'member'>,
  found: Pick<FoundInvite, 'workspaceId'> | undefined | null,
): Promise<InviteRefusal | null> {
  if (found == null) return 'invite_unknown';
  const { workspaceId } = found;
  const members = await client.member.count({ where: { workspaceId } });
  return members < QUOTAS.membersPerWorkspace ? null : 'quota_exceeded';
}

/**
 * Makes the user a member and deletes the locked invite. If the user already was a member, returns false and
 * keeps the invite for the invited person.
 */
export async function acceptInvite(
  tx: Prisma.TransactionClient,
  { workspaceId, email, role }: FoundInvite,
  by: { userId: string; ip: string },
  createdAt: Date,
): Promise<boolean> {
  const { userId } = by;
  const { count } = await tx.member.createMany({
    data: [{ workspaceId, userId, role, createdAt }],
    skipDuplicates: true,
  });
  if (count === 0) return false;
  await tx.invite.deleteMany({ where: { workspaceId, email } });
  await recordAudit(
    tx,
    { kind: 'user', ...by },
    { workspaceId, action: 'member.joined', target: userId, detail: { email, role } },
  );
  return true;
}

/**
 * Confirms the address of a user who has the token from a mail to it. This is not in the transaction of the membership, because
 * users may be in another database than workspaces. It comes first, so that the invite still works if the process ends
 * in between.
 */
export async function confirmMailedAddress(
  { prisma }: Pick<Database, 'prisma'>,
  hash: Buffer,
  user: { id: string; email: string },
  at: Date,
): Promise<void> {
  const { id, email } = user;
  const mailTokenHash = new Uint8Array(hash);
  const mailed = await prisma.invite.count({
    where: { mailTokenHash, email, expiresAt: { gt: new Date() } },
  });
  if (mailed === 0) return;
  await prisma.user.updateMany({
    where: { id, email, emailConfirmedAt: null },
    data: { emailConfirmedAt: at },
  });
}
