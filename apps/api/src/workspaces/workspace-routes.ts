import { type MemberWorkspace, type Workspace, parseWorkspaceName } from '@switchboard/contracts';
import { AppError, type Clock, QUOTAS, createUuidV7, quotaExceeded } from '@switchboard/core';
import type { Actor, Role, WorkspaceStore, WorkspaceSummary } from '@switchboard/database';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { apiKeyOf, userOf } from '../http/actor.ts';
import type { Credentials } from '../http/credentials.ts';
import { answerPage } from '../wire/answer-page.ts';

export interface WorkspaceRouteDependencies {
  credentials: Credentials;
  requireMember: onRequestAsyncHookHandler;
  workspaces: WorkspaceStore;
  clock: Clock;
}

export function registerWorkspaceRoutes(
  app: FastifyInstance,
  { credentials, requireMember, workspaces, clock }: WorkspaceRouteDependencies,
): void {
  const session = [credentials.requireSession];
  const member = [credentials.requireSession, requireMember];
  const apiKey = [credentials.requireApiKey];
  const renaming = { failureCode: 'update_failed' } as const;

  async function getWorkspace(id: string): Promise<Workspace> {
    const workspace = await workspaces.find(id);
    if (workspace === null) throw new AppError('not_found', 'No such workspace');
    return toWorkspace(workspace);
  }

  async function rename(id: string, body: unknown, by: Actor): Promise<{ ok: true }> {
    if (!(await workspaces.rename(id, parseWorkspaceName(body), by))) {
      throw new AppError('not_found', 'No such workspace');
    }
    return { ok: true };
  }

  app.get('/api/workspace', { onRequest: apiKey }, async (request) =>
    getWorkspace(request.apiKey.workspaceId),
  );
  app.patch('/api/workspace', { onRequest: apiKey, config: renaming }, async (request) =>
    rename(request.apiKey.workspaceId, request.body, apiKeyOf(request)),
  );

  app.get('/api/ui/workspaces/:workspaceId', { onRequest: member }, async (request) =>
    getWorkspace(request.membership.workspaceId),
  );
  app.patch(
    '/api/ui/workspaces/:workspaceId',
    { onRequest: member, config: renaming },
    async (request) => rename(request.membership.workspaceId, request.body, userOf(request)),
  );

  app.get('/api/ui/workspaces', { onRequest: session }, (request) =>
    answerPage(
      request,
      (page) => workspaces.listPageOfUser(request.session.user.id, page),
      toMemberWorkspace,
    ),
  );

  app.post('/api/ui/workspaces', { onRequest: session }, async (request, reply) => {
    const name = parseWorkspaceName(request.body);
    const createdAt = clock.now();
    const id = createUuidV7(createdAt);
    const ownerId = request.session.user.id;
    const outcome = await workspaces.create({
      id,
      name,
      ownerId,
      createdAt: new Date(createdAt),
    });
    if (outcome === 'quota_exceeded') {
      throw quotaExceeded(QUOTAS.workspacesPerOwner, 'workspaces that one user owns');
    }
    return reply.code(201).send(await getWorkspace(id));
  });
}

function toMemberWorkspace(workspace: WorkspaceSummary & { role: Role }): MemberWorkspace {
  return { ...toWorkspace(workspace), role: workspace.role };
}

function toWorkspace(workspace: WorkspaceSummary): Workspace {
  return {
    id: workspace.id,
    name: workspace.name,
    created_at: workspace.createdAt.toISOString(),
    provider_configured: workspace.providerConfigured,
    default_number: workspace.defaultNumber,
  };
}
