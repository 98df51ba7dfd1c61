import { type InviteToken, describeForbidden, refuse, routes } from '@switchboard/contracts';
import { AppError, type Clock, type Role } from '@switchboard/core';
import { createInviteToken, hashToken } from '@switchboard/credentials';
import type { InviteStore } from '@switchboard/database';

const INVITE_DAYS = 7;

export type InvitePerson = ReturnType<typeof createInvitePerson>;

/**
 * Creates an invite for an email address. A user becomes a member only by accepting it, and the
 * response does not reveal whether the address has an account. With `sendsMail`, the person also receives a mail.
 */
export function createInvitePerson(
  invites: Pick<InviteStore, 'put'>,
  clock: Clock,
  options: { sendsMail: boolean },
) {
  return async function invitePerson(request: {
    workspaceId: string;
    email: string;
    role: Role;
    /** An owner of the workspace. */
    by: { userId: string; ip: string };
  }): Promise<InviteToken> {
    const { workspaceId, email, role } = request;
    const createdAt = new Date(clock.now());
    const expiresAt = new Date(createdAt.getTime() + INVITE_DAYS * 86_400_000);
    const token = createInviteToken();
    const invite = {
      workspaceId,
      email,
      role,
      tokenHash: hashToken(token),
      invitedBy: request.by.userId,
      createdAt,
      expiresAt,
    };
    const put = await invites.put(invite, { byMail: options.sendsMail, ip: request.by.ip });
    if (put === 'already_member') {
      throw refuse(routes.inviteMember, 'already_exists');
    }
    if (put === 'not_an_owner') {
      throw new AppError('forbidden', describeForbidden.permission('manage'));
    }
    if (put === 'quota_exceeded') throw refuse(routes.inviteMember, 'quota_exceeded');
    return { invite_token: token, expires_at: expiresAt.toISOString() };
  };
}
