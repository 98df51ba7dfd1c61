import { QUOTAS, quotaExceeded } from '@switchboard/core';
import {
  addMemberRequest,
  changeRoleRequest,
  inviteList,
  inviteToken,
  member,
  memberList,
  membership,
} from '../member.ts';
import { pagingQuery } from '../query.ts';
import { defineRoute } from './define-route.ts';
import { ok } from './ok.ts';
import { forSessions } from './workspace-paths.ts';

const tag = 'Members';
const noSuchMember = 'The workspace has no such member';
const lastOwner = 'The last owner of a workspace must stay its owner';

export const memberRoutes = {
  listMembers: defineRoute({
    method: 'GET',
    paths: forSessions('/members'),
    testMode: 'live',
    tag,
    summary: 'List the members',
    query: pagingQuery,
    response: { status: 200, schema: memberList },
  }),

  inviteMember: defineRoute({
    method: 'POST',
    paths: forSessions('/members'),
    testMode: 'live',
    tag,
    summary: 'Invite a person',
    description:
      'The response is the same whether or not the email address has an account. The person becomes a ' +
      'member by accepting the invitation: a user with `POST /api/ui/invites/{token}/accept`, anyone ' +
      'else by signing up with it. Addresses are not confirmed, so the token decides: any user who has it ' +
      'may join, with any address. A new invitation replaces an earlier one for the same address.',
    permission: 'manage',
    body: addMemberRequest,
    response: { status: 201, schema: inviteToken },
    errors: {
      already_exists: '`email` already belongs to a member',
      quota_exceeded: quotaExceeded(QUOTAS.invitesPerWorkspace, 'open invitations per workspace')
        .message,
    },
  }),

  listInvites: defineRoute({
    method: 'GET',
    paths: forSessions('/invites'),
    testMode: 'live',
    tag,
    summary: 'List the open invitations',
    permission: 'manage',
    query: pagingQuery,
    response: { status: 200, schema: inviteList },
  }),

  withdrawInvite: defineRoute({
    method: 'DELETE',
    paths: forSessions('/invites/{inviteId}'),
    testMode: 'live',
    tag,
    summary: 'Withdraw an invitation',
    permission: 'manage',
    response: { status: 200, schema: ok },
    errors: { not_found: 'The workspace has no such invitation' },
  }),

  acceptInvite: defineRoute({
    method: 'POST',
    paths: { session: '/api/ui/invites/{token}/accept' },
    tag,
    summary: 'Accept an invitation',
    description:
      'Makes the signed-in user a member of the workspace. If the workspace has reached its quota of members, ' +
      'the invitation stays valid.',
    response: { status: 201, schema: membership },
    errors: {
      not_found: 'The invitation was used or withdrawn, or has expired',
      already_exists: 'You are already a member of this workspace',
      quota_exceeded: quotaExceeded(QUOTAS.membersPerWorkspace, 'members per workspace').message,
    },
  }),

  changeRole: defineRoute({
    method: 'PATCH',
    paths: forSessions('/members/{userId}'),
    testMode: 'live',
    tag,
    summary: 'Change the role of a member',
    permission: 'manage',
    body: changeRoleRequest,
    response: { status: 200, schema: member },
    errors: { not_found: noSuchMember, invalid_state: lastOwner },
  }),

  removeMember: defineRoute({
    method: 'DELETE',
    paths: forSessions('/members/{userId}'),
    testMode: 'live',
    tag,
    summary: 'Remove a member, or leave the workspace',
    description:
      'An owner can remove any member. A member who is not an owner can only leave. The WebSockets of ' +
      'that member in this workspace are closed.',
    permission: 'manage_or_self',
    response: { status: 200, schema: ok },
    errors: { not_found: noSuchMember, invalid_state: lastOwner },
  }),
};
