import {
  addNumberRequest,
  changeNumberRequest,
  phoneNumber,
  phoneNumberList,
} from '../phone-number.ts';
import { pagingQuery } from '../query.ts';
import { ok } from './ok.ts';
import type { RouteTable, SharedRoute } from './route.ts';

const tag = 'Numbers';
const noSuchNumber = 'The workspace has no such number';

const list = {
  tag,
  summary: 'List the numbers that the workspace sends from',
  query: pagingQuery,
  answer: { status: 200, schema: phoneNumberList },
} satisfies SharedRoute;

const add = {
  tag,
  summary: 'Add a number',
  description: 'Has the provider send us what the number receives, where its account owns it.',
  body: addNumberRequest,
  answer: { status: 201, schema: phoneNumber },
  errors: {
    already_exists: 'The workspace has the number already',
    quota_exceeded: 'The workspace has as many numbers as it may',
  },
} satisfies SharedRoute;

const change = {
  tag,
  summary: 'Change a number’s label, or make it the default',
  body: changeNumberRequest,
  answer: { status: 200, schema: phoneNumber },
  errors: {
    missing_params: 'Neither field is there',
    not_found: noSuchNumber,
    invalid_state: 'The default can’t cease to be it, save by another becoming it',
  },
} satisfies SharedRoute;

const remove = {
  tag,
  summary: 'Remove a number',
  answer: { status: 200, schema: ok },
  errors: { not_found: noSuchNumber },
} satisfies SharedRoute;

export const numberRoutes = {
  'GET /api/numbers': { ...list, credential: 'api_key' },
  'POST /api/numbers': { ...add, credential: 'api_key' },
  'PATCH /api/numbers/{numberId}': { ...change, credential: 'api_key' },
  'DELETE /api/numbers/{numberId}': { ...remove, credential: 'api_key' },
  'GET /api/ui/workspaces/{workspaceId}/numbers': { ...list, credential: 'session' },
  'POST /api/ui/workspaces/{workspaceId}/numbers': { ...add, credential: 'session' },
  'PATCH /api/ui/workspaces/{workspaceId}/numbers/{numberId}': { ...change, credential: 'session' },
  'DELETE /api/ui/workspaces/{workspaceId}/numbers/{numberId}': {
    ...remove,
    credential: 'session',
  },
} as const satisfies RouteTable;
