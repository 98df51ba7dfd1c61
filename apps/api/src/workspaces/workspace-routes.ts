import {
  DETAILS,
  type MemberWorkspace,
  type Workspace,
  OK,
  refuse,
  routes,
} from '@switchboard/contracts';
import { AppError, type Clock, type Role, createShardedUuid } from '@switchboard/core';
import type { WorkspaceStore, WorkspaceSummary } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';

export interface WorkspaceRouteDependencies {
  workspaces: WorkspaceStore;
  clock: Clock;
}

export function registerWorkspaceRoutes(
  registerRoute: RegisterRoute,
  { workspaces, clock }: WorkspaceRouteDependencies,
): void {
  async function getWorkspace(id: string): Promise<Workspace> {
    const workspace = await workspaces.find(id);
    if (workspace === null) throw new AppError('not_found', DETAILS.noSuchWorkspace);
    return toWorkspace(workspace);
  }

  registerRoute(routes.getWorkspace, ({ workspaceId }) => getWorkspace(workspaceId));

  registerRoute(routes.changeWorkspace, async ({ workspaceId, actor, body }) => {
    const changed = await workspaces.change(workspaceId, body, actor);
    if (!changed) throw new AppError('not_found', DETAILS.noSuchWorkspace);
    return OK;
  });

  registerRoute(routes.listWorkspaces, ({ actor, query }) =>
    respondWithPage(
      query,
      (page) => workspaces.listPageOfUser(actor.userId, page),
      toMemberWorkspace,
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
      createdAt: new Date(createdAt),
    });
    if (outcome === 'quota_exceeded') throw refuse(routes.createWorkspace, 'quota_exceeded');
    return getWorkspace(id);
  });
}

function toMemberWorkspace(workspace: WorkspaceSummary & { role: Role }): MemberWorkspace {
  return { ...toWorkspace(workspace), role: workspace.role };
}

function toWorkspace(workspace: WorkspaceSummary): Workspace {
  return {
    id: workspace.id,
    name: workspace.name,
    country: workspace.country,
    created_at: workspace.createdAt.toISOString(),
    provider_configured: workspace.providerConfigured,
    default_number: workspace.defaultNumber,
  };
}
