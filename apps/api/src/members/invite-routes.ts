import { type Invite, OK, refuse, routes } from '@switchboard/contracts';
import type { Clock } from '@switchboard/core';
import { hashToken } from '@switchboard/credentials';
import type { InviteStore, StoredInvite } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';
import type { InvitePerson } from './invite-person.ts';

export interface InviteRouteDependencies {
  invites: Pick<InviteStore, 'list' | 'withdraw' | 'accept'>;
  invitePerson: InvitePerson;
  clock: Clock;
}

/** Registers the routes with which owners invite people and invited users accept. */
export function registerInviteRoutes(
  registerRoute: RegisterRoute,
  { invites, invitePerson, clock }: InviteRouteDependencies,
): void {
  registerRoute(routes.inviteMember, ({ workspaceId, actor, body: { email, role } }) =>
    invitePerson({ workspaceId, email, role, by: actor }),
  );

  registerRoute(routes.listInvites, ({ workspaceId, query }) =>
    respondWithPage(query, (page) => invites.list(workspaceId, page), toInvite),
  );

  registerRoute(routes.withdrawInvite, async ({ workspaceId, actor, params: { inviteId } }) => {
    const withdrawn = await invites.withdraw(workspaceId, inviteId, actor);
    if (!withdrawn) throw refuse(routes.withdrawInvite, 'not_found');
    return OK;
  });

  registerRoute(routes.acceptInvite, async ({ session: { user }, actor, params: { token } }) => {
    const at = new Date(clock.now());
    const accepted = await invites.accept(hashToken(token), user, actor.ip, at);
    if (accepted === 'invite_unknown') throw refuse(routes.acceptInvite, 'not_found');
    if (accepted === 'already_member') throw refuse(routes.acceptInvite, 'already_exists');
    if (accepted === 'quota_exceeded') throw refuse(routes.acceptInvite, 'quota_exceeded');
    return {
      workspace_id: accepted.workspaceId,
      user_id: user.id,
      role: accepted.role,
      created_at: at.toISOString(),
    };
  });
}

function toInvite({ id, email, role, inviter, createdAt, expiresAt }: StoredInvite): Invite {
  return {
    id,
    email,
    role,
    invited_by: inviter,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
