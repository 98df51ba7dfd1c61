import { z } from 'zod';
import { addMemberRequest, changeRoleRequest, invite, member, memberList } from '../member.ts';
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
    summary: 'Add a user, or invite who is none yet',
    description: 'A known email address becomes a member at once; for another there is an invite.',
    credential: 'session',
    ownersOnly: true,
    body: addMemberRequest,
    answer: { status: 201, schema: z.union([member, invite]) },
    errors: { already_exists: 'The email address belongs to a member already' },
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
    summary: 'Remove a member',
    description: 'Ends their WebSockets in this workspace too.',
    credential: 'session',
    ownersOnly: true,
    answer: { status: 200, schema: ok },
    errors: { not_found: noSuchMember, invalid_state: lastOwner },
  },
} as const satisfies RouteTable;
