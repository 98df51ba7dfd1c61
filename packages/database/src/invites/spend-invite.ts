import { recordAudit } from '../audit/record-audit.ts';
import type { Prisma } from '../generated/client.ts';
import type { Role } from '../workspaces/workspace-store.ts';

export interface FoundInvite {
  workspaceId: string;
  email: string;
  role: Role;
}

/** Why an invite makes nobody a member. */
export type InviteRefusal = 'invite_unknown' | 'invite_of_another';

/** Locks the invite until the transaction ends: of two who accept it, the second finds it gone. */
export async function lockInvite(
  tx: Prisma.TransactionClient,
  invite: { tokenHash: Buffer; email: string },
): Promise<FoundInvite | InviteRefusal> {
  const tokenHash = new Uint8Array(invite.tokenHash);
  const [found] = await tx.$queryRaw<FoundInvite[]>`
    SELECT workspace_id AS "workspaceId", email, role FROM invites
    WHERE token_hash = ${tokenHash} AND expires_at > now() FOR UPDATE`;
  return findInviteRefusal(found, invite.email) ?? (found as FoundInvite);
}

/** An invite is for one person: whoever else holds the token joins nothing. */
export function findInviteRefusal(
  found: { email: string } | undefined | null,
  email: string,
): InviteRefusal | null {
  if (found == null) return 'invite_unknown';
  return found.email === email ? null : 'invite_of_another';
}

/** Deletes the locked invite and makes the user a member; false when the user is one already. */
export async function spendInvite(
  tx: Prisma.TransactionClient,
  { workspaceId, email, role }: FoundInvite,
  user: { id: string },
  createdAt: Date,
): Promise<boolean> {
  await tx.invite.deleteMany({ where: { workspaceId, email } });
  const { count } = await tx.member.createMany({
    data: [{ workspaceId, userId: user.id, role, createdAt }],
    skipDuplicates: true,
  });
  if (count === 0) return false;
  await recordAudit(
    tx,
    { kind: 'user', userId: user.id },
    { workspaceId, action: 'member.joined', target: user.id, detail: { email, role } },
  );
  return true;
}
