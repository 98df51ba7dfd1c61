import { QUOTAS, type Role } from '@switchboard/core';
import { recordAudit } from '../audit/record-audit.ts';
import type { Prisma } from '../generated/client.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';

export interface FoundInvite {
  workspaceId: string;
  email: string;
  role: Role;
  /** The token was in the mail, so a user who has it receives mails to the address. */
  isMailed: boolean;
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
    SELECT workspace_id AS "workspaceId", email, role,
      mail_token_hash IS NOT DISTINCT FROM ${tokenHash} AS "isMailed"
    FROM invites
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
  { workspaceId, email, role, isMailed }: FoundInvite,
  user: { id: string; email: string },
  createdAt: Date,
): Promise<boolean> {
  const { count } = await tx.member.createMany({
    data: [{ workspaceId, userId: user.id, role, createdAt }],
    skipDuplicates: true,
  });
  if (count === 0) return false;
  await tx.invite.deleteMany({ where: { workspaceId, email } });
  if (isMailed && email === user.email) {
    const unconfirmed = { id: user.id, emailConfirmedAt: null };
    await tx.user.updateMany({ where: unconfirmed, data: { emailConfirmedAt: createdAt } });
  }
  await recordAudit(
    tx,
    { kind: 'user', userId: user.id },
    { workspaceId, action: 'member.joined', target: user.id, detail: { email, role } },
  );
  return true;
}
