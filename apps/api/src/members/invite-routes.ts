import { type Invite, type Membership, addMemberRequest, parseBody } from '@switchboard/contracts';
import { AppError, type Clock, QUOTAS, isUuid, quotaExceeded } from '@switchboard/core';
import { hashToken } from '@switchboard/credentials';
import type { InviteStore, StoredInvite } from '@switchboard/database';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { userOf } from '../http/actor.ts';
import type { Credentials } from '../http/credentials.ts';
import { requireOwner } from '../http/require-owner.ts';
import { answerPage } from '../wire/answer-page.ts';
import type { InvitePerson } from './invite-person.ts';

export interface InviteRouteDependencies {
  credentials: Credentials;
  requireMember: onRequestAsyncHookHandler;
  invites: Pick<InviteStore, 'list' | 'withdraw' | 'accept'>;
  invitePerson: InvitePerson;
  clock: Clock;
}

/** Owners invite, list and withdraw; the invited user accepts. */
export function registerInviteRoutes(
  app: FastifyInstance,
  { credentials, requireMember, invites, invitePerson, clock }: InviteRouteDependencies,
): void {
  const workspace = '/api/ui/workspaces/:workspaceId';
  const owner = { onRequest: [credentials.requireSession, requireMember, requireOwner] };

  app.post(`${workspace}/members`, owner, async (request, reply) => {
    const { email, role } = parseBody(addMemberRequest, request.body);
    const { workspaceId } = request.membership;
    const userId = request.session.user.id;
    return reply.code(201).send(await invitePerson({ workspaceId, email, role, userId }));
  });

  app.get(`${workspace}/invites`, owner, (request) =>
    answerPage(request, (page) => invites.list(request.membership.workspaceId, page), toInvite),
  );

  app.delete<{ Params: { inviteId: string } }>(
    `${workspace}/invites/:inviteId`,
    owner,
    async (request) => {
      const { inviteId } = request.params;
      const { workspaceId } = request.membership;
      const withdrawn =
        isUuid(inviteId) && (await invites.withdraw(workspaceId, inviteId, userOf(request)));
      if (!withdrawn) throw new AppError('not_found', 'No such invite');
      return { ok: true };
    },
  );

  app.post<{ Params: { token: string } }>(
    '/api/ui/invites/:token/accept',
    { onRequest: [credentials.requireSession] },
    async (request, reply) => {
      const { user } = request.session;
      const at = new Date(clock.now());
      const accepted = await invites.accept(hashToken(request.params.token), user, at);
      switch (accepted) {
        // One answer for both: another's invite is not to be found.
        case 'invite_unknown':
        case 'invite_of_another':
          throw new AppError(
            'not_found',
            'The invite is used, withdrawn or expired, or is for another email address',
          );
        case 'already_member':
          throw new AppError('already_exists', 'You are a member of this workspace already');
        case 'quota_exceeded':
          throw quotaExceeded(QUOTAS.membersPerWorkspace, 'members of the workspace');
        default: {
          const answer: Membership = {
            workspace_id: accepted.workspaceId,
            user_id: user.id,
            role: accepted.role,
            created_at: at.toISOString(),
          };
          return reply.code(201).send(answer);
        }
      }
    },
  );
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
