import { DETAILS } from '@switchboard/contracts';
import { AppError, isUuid } from '@switchboard/core';
import type { Role, WorkspaceStore } from '@switchboard/database';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hook of `createRequireMember`: the workspace of the path and the user's role. */
    membership: { workspaceId: string; role: Role };
  }
}

/**
 * Creates the hook that accepts only members of the workspace in the path; runs after the session
 * check.
 */
export function createRequireMember(
  workspaces: Pick<WorkspaceStore, 'findAccess'>,
): onRequestAsyncHookHandler {
  return async function requireMember(request) {
    const { workspaceId } = request.params as { workspaceId: string };
    const access = isUuid(workspaceId)
      ? await workspaces.findAccess(workspaceId, request.session.user.id)
      : null;
    if (access === null) throw new AppError('not_found', DETAILS.noSuchWorkspace);
    if (access.role === null) throw new AppError('forbidden', DETAILS.forbidden);
    request.membership = { workspaceId: workspaceId.toLowerCase(), role: access.role };
  };
}

/** Accepts only owners of the workspace; runs after the membership check. */
export const requireOwner: onRequestAsyncHookHandler = async (request) => assertOwner(request);

/** Accepts only owners and the member that `{userId}` names. */
export const requireOwnerOrSelf: onRequestAsyncHookHandler = async (request) => {
  const { userId } = request.params as { userId: string };
  if (userId.toLowerCase() !== request.session.user.id) assertOwner(request);
};

function assertOwner({ membership }: FastifyRequest): void {
  if (membership.role !== 'owner') throw new AppError('forbidden', DETAILS.ownersOnly);
}
