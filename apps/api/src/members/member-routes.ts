import { type Member, OK, refuse, routes } from '@switchboard/contracts';
import { type BusNotification, hasPermission } from '@switchboard/core';
import type { MemberStore, SecondFactorStore, StoredMember } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';

export interface MemberRouteDependencies {
  members: Pick<MemberStore, 'list' | 'find' | 'changeRole' | 'remove'>;
  secondFactors: Pick<SecondFactorStore, 'findUsersWith'>;
  publishLater(notification: BusNotification): void;
}

export function registerMemberRoutes(
  registerRoute: RegisterRoute,
  { members, secondFactors, publishLater }: MemberRouteDependencies,
): void {
  registerRoute(routes.listMembers, ({ workspaceId, query, request }) => {
    const isOwner = hasPermission(request.membership.role, 'manage');
    return respondWithPage(
      query,
      async (page) => {
        const { items, total } = await members.list(workspaceId, page);
        const ids = items.map(({ userId }) => userId);
        const secured = isOwner ? await secondFactors.findUsersWith(ids) : null;
        const toItem = (member: StoredMember) =>
          toMember(member, secured?.has(member.userId) ?? null);
        return { items: items.map(toItem), total };
      },
      (member) => member,
    );
  });

  /** Runs before the body is read: an unknown member takes precedence over an invalid body. */
  async function requireMemberOfPath(call: {
    workspaceId: string;
    params: { userId: string };
  }): Promise<void> {
    const found = await members.find(call.workspaceId, call.params.userId);
    if (found === null) throw refuse(routes.changeRole, 'not_found');
  }

  registerRoute(routes.changeRole, {
    onRequest: requireMemberOfPath,
    async handle({ workspaceId, actor, params: { userId }, body: { role } }) {
      const changed = await members.changeRole(workspaceId, userId, role, actor);
      if (changed === 'missing') throw refuse(routes.changeRole, 'not_found');
      if (changed === 'last_owner') throw refuse(routes.changeRole, 'invalid_state');
      publishLater({ kind: 'access_changed', id: userId });
      const secured = await secondFactors.findUsersWith([userId]);
      return toMember(changed, secured.has(changed.userId));
    },
  });

  registerRoute(routes.removeMember, {
    onRequest: requireMemberOfPath,
    async handle({ workspaceId, actor, params: { userId } }) {
      const removed = await members.remove(workspaceId, userId, actor);
      if (removed === 'missing') throw refuse(routes.removeMember, 'not_found');
      if (removed === 'last_owner') throw refuse(routes.removeMember, 'invalid_state');
      publishLater({ kind: 'member_removed', workspaceId, userId });
      return OK;
    },
  });
}

function toMember(member: StoredMember, hasSecondFactor: boolean | null): Member {
  return {
    user_id: member.userId,
    email: member.email,
    name: member.name,
    role: member.role,
    second_factor: hasSecondFactor,
    created_at: member.createdAt.toISOString(),
  };
}
