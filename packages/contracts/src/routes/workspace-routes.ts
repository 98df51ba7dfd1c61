import { QUOTAS, quotaExceeded } from '@switchboard/core';
import { FACTOR_DETAILS } from '../factor-details.ts';
import { pagingQuery } from '../query.ts';
import {
  INVALID_COUNTRY,
  INVALID_NAME,
  changeWorkspaceRequest,
  closeWorkspaceRequest,
  createWorkspaceRequest,
  parseChangeWorkspace,
  parseCreateWorkspace,
  workspace,
  workspaceList,
} from '../workspace.ts';
import { defineRoute } from './define-route.ts';
import { ok } from './ok.ts';

const tag = 'Workspaces';

export const workspaceRoutes = {
  getWorkspace: defineRoute({
    method: 'GET',
    paths: { api_key: '/api/workspace', session: '/api/ui/workspaces/{workspaceId}' },
    scope: 'any',
    tag,
    summary: 'Get the workspace',
    response: { status: 200, schema: workspace },
  }),

  changeWorkspace: defineRoute({
    method: 'PATCH',
    paths: { api_key: '/api/workspace', session: '/api/ui/workspaces/{workspaceId}' },
    scope: 'workspace:write',
    tag,
    summary:
      'Change the workspace: its name, its country, its encoding, or whether it requires a second factor',
    description:
      'A field that is absent keeps its value. One of them is required. Members without a second factor that the workspace ' +
      'requires are refused at once, and their WebSockets are closed. In test mode, `require_second_factor` is that of the live ' +
      'workspace, and is changed there only.',
    body: changeWorkspaceRequest,
    parseBody: parseChangeWorkspace,
    response: { status: 200, schema: ok },
    failureCode: 'update_failed',
    errors: {
      invalid_name: INVALID_NAME,
      invalid_params: INVALID_COUNTRY,
      forbidden: FACTOR_DETAILS.onlyOwner,
    },
  }),

  closeWorkspace: defineRoute({
    method: 'DELETE',
    paths: { session: '/api/ui/workspaces/{workspaceId}' },
    permission: 'manage',
    testMode: 'refused',
    tag,
    summary: 'Close the workspace and delete its data',
    description:
      'Access ends at once: that of all members, API keys and WebSockets, in test mode too. Messages that are scheduled or queued are canceled, ' +
      'and inbound messages are refused. The data is deleted when the messages in flight have an outcome and the webhook endpoints have received ' +
      'all events, after 24 hours at the latest. It can’t be undone: export first.',
    body: closeWorkspaceRequest,
    response: { status: 200, schema: ok },
    errors: { invalid_params: '`name` must be the name of the workspace' },
  }),

  openTestWorkspace: defineRoute({
    method: 'POST',
    paths: { session: '/api/ui/workspaces/{workspaceId}/test-workspace' },
    permission: 'read',
    tag,
    summary: 'Open test mode',
    description:
      'Returns the test workspace that belongs to the workspace, and creates it for the first call of a member who may change ' +
      'the workspace. Its data is separate; its members are those of the workspace. Use its `id` in the paths of other routes.',
    response: { status: 200, schema: workspace },
    errors: {
      forbidden:
        'Insufficient permissions for the resource: this workspace has no test mode yet. An owner or a member opens it first',
    },
  }),

  listWorkspaces: defineRoute({
    method: 'GET',
    paths: { session: '/api/ui/workspaces' },
    tag,
    summary: 'List your workspaces',
    query: pagingQuery,
    response: { status: 200, schema: workspaceList },
  }),

  createWorkspace: defineRoute({
    method: 'POST',
    paths: { session: '/api/ui/workspaces' },
    tag,
    summary: 'Create a workspace',
    description: 'The user who creates a workspace becomes its owner.',
    body: createWorkspaceRequest,
    parseBody: parseCreateWorkspace,
    response: { status: 201, schema: workspace },
    errors: {
      invalid_name: INVALID_NAME,
      invalid_params: INVALID_COUNTRY,
      quota_exceeded: quotaExceeded(QUOTAS.workspacesPerOwner, 'workspaces per owner').message,
    },
  }),
};
