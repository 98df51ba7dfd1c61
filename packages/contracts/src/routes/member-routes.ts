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
import { ok } from './ok.ts';
import type { RouteTable } from './route.ts';

const tag = 'Members';
const noSuchMember = 'The workspace has no such member';
const lastOwner = 'The last owner of a workspace must stay its owner';

export const memberRoutes = {
  'GET /api/ui/workspaces/{workspaceId}/members': {
    tag,
    summary: 'List the members',
    credential: 'session',
    query: pagingQuery,
    answer: { status: 200, schema: memberList },
  },
  'POST /api/ui/workspaces/{workspaceId}/members': {
    tag,
    summary: 'Invite a person',
    description:
      'The answer is the same whether or not the email address has an account. The person becomes a member by accepting the invite: a user with `POST /api/ui/invites/{token}/accept`, anybody else with the sign-up. A new invite replaces an earlier one for the same address.',
    credential: 'session',
    ownersOnly: true,
    body: addMemberRequest,
    answer: { status: 201, schema: inviteToken },
    errors: {
      already_exists: 'The email address belongs to a member already',
      quota_exceeded: 'The workspace has as many open invites as it may',
    },
  },
  'GET /api/ui/workspaces/{workspaceId}/invites': {
    tag,
    summary: 'List the open invites',
    credential: 'session',
    ownersOnly: true,
    query: pagingQuery,
    answer: { status: 200, schema: inviteList },
  },
  'DELETE /api/ui/workspaces/{workspaceId}/invites/{inviteId}': {
    tag,
    summary: 'Withdraw an invite',
    credential: 'session',
    ownersOnly: true,
    answer: { status: 200, schema: ok },
    errors: { not_found: 'The workspace has no such invite' },
  },
  'POST /api/ui/invites/{token}/accept': {
    tag,
    summary: 'Accept an invite',
    description: 'Makes the signed-in user a member of the workspace.',
    credential: 'session',
    answer: { status: 201, schema: membership },
    errors: {
      not_found: 'The invite is used, withdrawn or expired, or is for another email address',
      already_exists: 'The user is a member of the workspace already',
      quota_exceeded: 'The workspace has as many members as it may. The invite stays valid',
    },
  },
  'PATCH /api/ui/workspaces/{workspaceId}/members/{userId}': {
    tag,
    summary: 'Change a member’s role',
    credential: 'session',
    ownersOnly: true,
    body: changeRoleRequest,
    answer: { status: 200, schema: member },
    errors: { not_found: noSuchMember, invalid_state: lastOwner },
  },
  'DELETE /api/ui/workspaces/{workspaceId}/members/{userId}': {
    tag,
    summary: 'Remove a member, or leave the workspace',
    description:
      'An owner removes any member; a member who is not an owner removes only themselves. Ends the WebSockets of that member in this workspace too.',
    credential: 'session',
    answer: { status: 200, schema: ok },
    errors: {
      forbidden: 'Neither an owner of the workspace nor the member in the path',
      not_found: noSuchMember,
      invalid_state: lastOwner,
    },
  },
} as const satisfies RouteTable;
