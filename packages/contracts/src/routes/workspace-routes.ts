import { pagingQuery } from '../query.ts';
import { nameWorkspaceRequest, workspace, workspaceList } from '../workspace.ts';
import { ok } from './ok.ts';
import type { RouteTable, SharedRoute } from './route.ts';

const tag = 'Workspaces';

const get = {
  tag,
  summary: 'Get the workspace',
  answer: { status: 200, schema: workspace },
} satisfies SharedRoute;

const rename = {
  tag,
  summary: 'Rename the workspace',
  body: nameWorkspaceRequest,
  answer: { status: 200, schema: ok },
  failureCode: 'update_failed',
  errors: { invalid_name: 'The name is absent, no text, empty after trimming, or too long' },
} satisfies SharedRoute;

export const workspaceRoutes = {
  'GET /api/workspace': { ...get, credential: 'api_key' },
  'PATCH /api/workspace': { ...rename, credential: 'api_key' },
  'GET /api/ui/workspaces': {
    tag,
    summary: 'List your workspaces',
    credential: 'session',
    query: pagingQuery,
    answer: { status: 200, schema: workspaceList },
  },
  'POST /api/ui/workspaces': {
    tag,
    summary: 'Make a workspace and become its owner',
    credential: 'session',
    body: nameWorkspaceRequest,
    answer: { status: 201, schema: workspace },
    errors: {
      invalid_name: 'The name is absent, no text, empty after trimming, or too long',
      quota_exceeded: 'The user owns as many workspaces as one may',
    },
  },
  'GET /api/ui/workspaces/{workspaceId}': { ...get, credential: 'session' },
  'PATCH /api/ui/workspaces/{workspaceId}': { ...rename, credential: 'session' },
} as const satisfies RouteTable;
