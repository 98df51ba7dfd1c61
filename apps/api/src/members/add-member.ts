import type { Invite, Member } from '@switchboard/contracts';
import { AppError, type Clock } from '@switchboard/core';
import { createInviteToken, hashToken } from '@switchboard/credentials';
import type {
  InviteStore,
  MemberStore,
  Role,
  StoredMember,
  UserStore,
} from '@switchboard/database';

const INVITE_DAYS = 7;

export interface AddMemberDependencies {
  members: Pick<MemberStore, 'add'>;
  invites: InviteStore;
  users: Pick<UserStore, 'findByEmail'>;
  clock: Clock;
}

export type AddMember = ReturnType<typeof createAddMember>;

/** Makes a user a member at once; for whom we do not know yet there is an invite. */
export function createAddMember({ members, invites, users, clock }: AddMemberDependencies) {
  return async function addMember(request: {
    workspaceId: string;
    email: string;
    role: Role;
    /** An owner of the workspace. */
    userId: string;
  }): Promise<Member | Invite> {
    const { workspaceId, email, role } = request;
    const createdAt = new Date(clock.now());
    const user = await users.findByEmail(email);
    if (user !== null) {
      const by = { kind: 'user', userId: request.userId } as const;
      const added = await members.add({ workspaceId, userId: user.id, role, createdAt }, by);
      if (added === 'already_member') {
        throw new AppError('already_exists', '`email` belongs to a member already');
      }
      return toMember(added);
    }

    const token = createInviteToken();
    const expiresAt = new Date(createdAt.getTime() + INVITE_DAYS * 86_400_000);
    const put = await invites.put({
      workspaceId,
      email,
      role,
      tokenHash: hashToken(token),
      invitedBy: request.userId,
      createdAt,
      expiresAt,
    });
    if (put === 'not_an_owner') {
      throw new AppError('forbidden', 'Insufficient permissions for the resource');
    }
    return { invite_token: token, expires_at: expiresAt.toISOString() };
  };
}

export function toMember(member: StoredMember): Member {
  return {
    user_id: member.userId,
    email: member.email,
    name: member.name,
    role: member.role,
    created_at: member.createdAt.toISOString(),
  };
}
