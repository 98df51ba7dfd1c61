import { DETAILS, describeForbidden } from '@switchboard/contracts';
import { AppError, type Permission, type Role, hasPermission, isUuid } from '@switchboard/core';
import type { WorkspaceStore } from '@switchboard/database';
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
    if (access.requireSecondFactor && !request.session.meetsSecondFactor) {
      throw new AppError('forbidden', describeForbidden.secondFactor);
    }
    request.membership = { workspaceId: workspaceId.toLowerCase(), role: access.role };
  };
}

/** Creates the hook that accepts only members with a permission; runs after the membership check. */
export function createRequirePermission(permission: Permission): onRequestAsyncHookHandler {
  return async (request) => assertPermission(request, permission);
}

/** Accepts only members who may manage the workspace, and the member that `{userId}` names. */
export const requireManagerOrSelf: onRequestAsyncHookHandler = async (request) => {
  const { userId } = request.params as { userId: string };
  if (userId.toLowerCase() !== request.session.user.id) assertPermission(request, 'manage');
};

function assertPermission({ membership }: FastifyRequest, permission: Permission): void {
  if (hasPermission(membership.role, permission)) return;
  throw new AppError('forbidden', describeForbidden.permission(permission));
}
