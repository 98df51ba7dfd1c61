import { AppError, isUuid } from '@switchboard/core';
import type { Role, WorkspaceStore } from '@switchboard/database';
import type { onRequestAsyncHookHandler } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireMember`: the workspace of the path and the user's role in it. */
    membership: { workspaceId: string; role: Role };
  }
}

/** Lets in members of the workspace that the path names; comes after `requireSession`. */
export function createRequireMember(
  workspaces: Pick<WorkspaceStore, 'findAccess'>,
): onRequestAsyncHookHandler {
  return async function requireMember(request) {
    const { workspaceId } = request.params as { workspaceId: string };
    const access = isUuid(workspaceId)
      ? await workspaces.findAccess(workspaceId, request.session.user.id)
      : null;
    if (access === null) throw new AppError('not_found', 'No such workspace');
    if (access.role === null) {
      throw new AppError('forbidden', 'Insufficient permissions for the resource');
    }
    request.membership = { workspaceId: workspaceId.toLowerCase(), role: access.role };
  };
}
