import { type Member, changeRoleRequest, parseBody } from '@switchboard/contracts';
import { AppError, type BusNotification, isUuid } from '@switchboard/core';
import type { MemberStore, StoredMember } from '@switchboard/database';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { userOf } from '../http/actor.ts';
import type { Credentials } from '../http/credentials.ts';
import { assertOwner, requireOwner } from '../http/require-owner.ts';
import { answerPage } from '../wire/answer-page.ts';

export interface MemberRouteDependencies {
  credentials: Credentials;
  requireMember: onRequestAsyncHookHandler;
  members: Pick<MemberStore, 'list' | 'find' | 'changeRole' | 'remove'>;
  publishLater(notification: BusNotification): void;
}

export function registerMemberRoutes(
  app: FastifyInstance,
  { credentials, requireMember, members, publishLater }: MemberRouteDependencies,
): void {
  const prefix = '/api/ui/workspaces/:workspaceId/members';
  const member = [credentials.requireSession, requireMember];

  app.get(prefix, { onRequest: member }, (request) =>
    answerPage(request, (page) => members.list(request.membership.workspaceId, page), toMember),
  );

  /** Before the body is read: what is wrong with it does not matter to a member who is none. */
  async function requireMemberOfPath(request: FastifyRequest): Promise<void> {
    const { userId } = request.params as { userId: string };
    const { workspaceId } = request.membership;
    const found = isUuid(userId) ? await members.find(workspaceId, userId) : null;
    if (found === null) throw missing();
  }
  /** A member may leave; anybody else is removed by an owner. */
  async function requireOwnerOrSelf(request: FastifyRequest): Promise<void> {
    const { userId } = request.params as { userId: string };
    if (userId.toLowerCase() !== request.session.user.id) assertOwner(request);
  }
  const changing = { onRequest: [...member, requireOwner, requireMemberOfPath] };
  const removing = { onRequest: [...member, requireOwnerOrSelf, requireMemberOfPath] };

  app.patch<{ Params: { userId: string } }>(`${prefix}/:userId`, changing, async (request) => {
    const { role } = parseBody(changeRoleRequest, request.body);
    const { workspaceId } = request.membership;
    const { userId } = request.params;
    const changed = await members.changeRole(workspaceId, userId, role, userOf(request));
    if (changed === 'missing') throw missing();
    if (changed === 'last_owner') throw lastOwner();
    return toMember(changed);
  });

  app.delete<{ Params: { userId: string } }>(`${prefix}/:userId`, removing, async (request) => {
    const userId = request.params.userId.toLowerCase();
    const { workspaceId } = request.membership;
    const removed = await members.remove(workspaceId, userId, userOf(request));
    if (removed === 'missing') throw missing();
    if (removed === 'last_owner') throw lastOwner();
    publishLater({ kind: 'member_removed', workspaceId, userId });
    return { ok: true };
  });
}

function toMember(member: StoredMember): Member {
  return {
    user_id: member.userId,
    email: member.email,
    name: member.name,
    role: member.role,
    created_at: member.createdAt.toISOString(),
  };
}

function missing(): AppError {
  return new AppError('not_found', 'No such member');
}

function lastOwner(): AppError {
  return new AppError('invalid_state', 'The last owner of a workspace must stay its owner');
}
