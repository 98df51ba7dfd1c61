import { DETAILS, type Route, describeForbidden } from '@switchboard/contracts';
import {
  AppError,
  type Permission,
  type Role,
  hasPermission,
  isUuid,
  liveWorkspaceOf,
  modeOf,
} from '@switchboard/core';
import type { WorkspaceStore } from '@switchboard/database';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { toSessionUser } from './check-session.ts';

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
    const workspaceId = (request.params as { workspaceId: string }).workspaceId.toLowerCase();
    const access = isUuid(workspaceId)
      ? await workspaces.findAccess(workspaceId, toSessionUser(request.session))
      : null;
    if (access === null) throw new AppError('not_found', DETAILS.noSuchWorkspace);
    if (access.role === null) throw new AppError('forbidden', DETAILS.forbidden);
    if (access.requireSecondFactor && !request.session.meetsSecondFactor) {
      throw new AppError('forbidden', describeForbidden.secondFactor);
    }
    request.membership = { workspaceId, role: access.role };
  };
}

/** Does what the route defines for test workspaces; runs after the membership check. */
export function createTestModeRule(testMode: Route['testMode']): onRequestAsyncHookHandler[] {
  if (testMode === undefined) return [];
  return [
    async (request) => {
      const { workspaceId } = request.membership;
      if (testMode === 'refused' && modeOf(workspaceId) === 'test') {
        throw new AppError('forbidden', describeForbidden.testMode);
      }
      request.membership.workspaceId = liveWorkspaceOf(workspaceId);
    },
  ];
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
