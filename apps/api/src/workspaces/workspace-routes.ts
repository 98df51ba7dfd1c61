import {
  DETAILS,
  FACTOR_DETAILS,
  type MemberWorkspace,
  type Workspace,
  OK,
  refuse,
  routes,
} from '@switchboard/contracts';
import {
  AppError,
  type BusNotification,
  type Clock,
  type Role,
  createShardedUuid,
  hasPermission,
  liveWorkspaceOf,
  modeOf,
  testWorkspaceOf,
} from '@switchboard/core';
import type {
  ActiveSession,
  CloseWorkspace,
  WorkspaceStore,
  WorkspaceSummary,
} from '@switchboard/database';
import type { FastifyRequest } from 'fastify';
import { toSessionUser } from '../auth/check-session.ts';
import type { RegisterRoute } from '../http/register-route.ts';
import type { OpenTestWorkspace } from '../open-test-workspace.ts';
import { publishClosing } from '../publish-closing.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';

export interface WorkspaceRouteDependencies {
  workspaces: WorkspaceStore;
  closeWorkspace: CloseWorkspace;
  openTestWorkspace: OpenTestWorkspace;
  clock: Clock;
  publishLater(notification: BusNotification): void;
}

/** What the request of a key does not have. */
type RequestCaller = Partial<Pick<FastifyRequest, 'membership' | 'session'>>;

export function registerWorkspaceRoutes(
  registerRoute: RegisterRoute,
  {
    workspaces,
    closeWorkspace,
    openTestWorkspace,
    clock,
    publishLater,
  }: WorkspaceRouteDependencies,
): void {
  async function getWorkspace(id: string): Promise<Workspace> {
    const workspace = await workspaces.find(id);
    if (workspace === null) throw new AppError('not_found', DETAILS.noSuchWorkspace);
    return toWorkspace(workspace);
  }

  registerRoute(routes.getWorkspace, ({ workspaceId }) => getWorkspace(workspaceId));

  /** A key, or a member who is not an owner, must not open the workspace to members without a second factor. */
  function assertMayRequire(
    workspaceId: string,
    isRequired: boolean,
    request: RequestCaller,
  ): void {
    if (modeOf(workspaceId) === 'test') throw new AppError('forbidden', FACTOR_DETAILS.onlyLive);
    const { membership, session } = request;
    if (membership === undefined || !hasPermission(membership.role, 'manage')) {
      throw refuse(routes.changeWorkspace, 'forbidden');
    }
    if (isRequired && session?.meetsSecondFactor !== true) {
      throw new AppError('forbidden', FACTOR_DETAILS.ownFirst);
    }
  }

  registerRoute(routes.changeWorkspace, async ({ workspaceId, actor, body, request }) => {
    const { require_second_factor: requireSecondFactor, ...change } = body;
    const isRuleChanged =
      requireSecondFactor !== undefined &&
      requireSecondFactor !== (await getWorkspace(workspaceId)).require_second_factor;
    if (isRuleChanged) assertMayRequire(workspaceId, requireSecondFactor, request);
    const changed = await workspaces.change(
      workspaceId,
      { ...change, ...(isRuleChanged && { requireSecondFactor }) },
      actor,
    );
    if (!changed) throw new AppError('not_found', DETAILS.noSuchWorkspace);
    if (isRuleChanged && requireSecondFactor)
      publishLater({ kind: 'access_changed', id: workspaceId });
    return OK;
  });

  registerRoute(routes.closeWorkspace, async ({ workspaceId, actor, body, request }) => {
    const closed = await closeWorkspace(workspaceId, body.name, actor);
    if (closed === 'missing') throw new AppError('not_found', DETAILS.noSuchWorkspace);
    if (closed === 'wrong_name') throw refuse(routes.closeWorkspace, 'invalid_params');
    const by = { userId: actor.userId, log: request.log };
    publishClosing({ workspaceId, ...closed }, by, publishLater);
    return OK;
  });

  registerRoute(routes.openTestWorkspace, async ({ workspaceId, actor, request }) => {
    const testId = testWorkspaceOf(workspaceId);
    if (hasPermission(request.membership.role, 'change')) {
      await openTestWorkspace(workspaceId, actor);
    } else if ((await workspaces.find(testId)) === null) {
      throw refuse(routes.openTestWorkspace, 'forbidden');
    }
    return getWorkspace(testId);
  });

  registerRoute(routes.listWorkspaces, ({ session, query }) =>
    respondWithPage(
      query,
      (page) => workspaces.listPageOfUser(toSessionUser(session), page),
      (workspace) => toMemberWorkspace(workspace, session),
    ),
  );

  registerRoute(routes.createWorkspace, async ({ actor, body: { name, country } }) => {
    const createdAt = clock.now();
    const id = createShardedUuid(createdAt);
    const outcome = await workspaces.create({
      id,
      name,
      country,
      ownerId: actor.userId,
      ip: actor.ip,
      createdAt: new Date(createdAt),
    });
    if (outcome === 'quota_exceeded') throw refuse(routes.createWorkspace, 'quota_exceeded');
    return getWorkspace(id);
  });
}

/** A workspace that requires a second factor shows its settings only to members who have one. */
function toMemberWorkspace(
  { role, ...workspace }: WorkspaceSummary & { role: Role },
  { meetsSecondFactor }: Pick<ActiveSession, 'meetsSecondFactor'>,
): MemberWorkspace {
  const isClosed = workspace.requireSecondFactor && !meetsSecondFactor;
  const hidden = {
    country: null,
    encoding: 'as_is',
    provider_configured: false,
    default_number: null,
  } as const;
  return { ...toWorkspace(workspace), ...(isClosed && hidden), role };
}

function toWorkspace(workspace: WorkspaceSummary): Workspace {
  return {
    id: workspace.id,
    name: workspace.name,
    mode: modeOf(workspace.id),
    live_workspace_id: liveWorkspaceOf(workspace.id),
    country: workspace.country,
    require_second_factor: workspace.requireSecondFactor,
    encoding: workspace.encoding,
    created_at: workspace.createdAt.toISOString(),
    provider_configured: workspace.providerConfigured,
    default_number: workspace.defaultNumber,
  };
}
