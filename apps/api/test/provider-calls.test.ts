import { QUOTAS } from '@switchboard/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ApiResponse,
  type Service,
  ask,
  expectRefusal,
  startService,
} from './start-service.ts';
import { addPerson } from './workspace-client.ts';

const { providerCallsPerWorkspace: PER_WORKSPACE, providerCallsPerUser: PER_USER } = QUOTAS;

const ACCOUNT = { type: 'sandbox', credentials: {} };
const TWILIO = { type: 'twilio', account_sid: `AC${'0'.repeat(32)}`, auth_token: '0'.repeat(32) };

let service: Service;

beforeAll(async () => {
  service = await startService({ apis: 2 });
});
afterAll(() => service.close());

function verify(workspaceId: string, token: string, call: number): Promise<ApiResponse> {
  const path = `/api/ui/workspaces/${workspaceId}/provider/verify`;
  return ask(service.apis[call % 2]?.url ?? '', path, { token, method: 'POST' });
}

/** The workspace has no provider, which is found after the request is counted. */
async function verifyUpTo(calls: number, workspaceId: string, token: string): Promise<void> {
  for (let call = 0; call < calls; call += 1) {
    expectRefusal(await verify(workspaceId, token, call), 400, 'provider_not_configured');
  }
}

test('all processes together refuse requests of a workspace that call providers beyond its limit, with Retry-After', async () => {
  const workspace = await service.addWorkspace({ provider: false });
  const { workspaceId, sessionToken: token } = workspace;
  const member = await addPerson(service, workspace, 'member');
  // A refused member does not use up the limit of the owners.
  expectRefusal(await member.client('/provider', { method: 'PUT', json: {} }), 403, 'forbidden');
  // Nor does a request with an error, which calls no provider.
  const path = `/api/ui/workspaces/${workspaceId}/provider`;
  const incomplete = await ask(service.url, path, { token, method: 'PUT', json: {} });
  expectRefusal(incomplete, 400, 'missing_params');
  await verifyUpTo(PER_WORKSPACE, workspaceId, token);
  const refused = await verify(workspaceId, token, 0);
  expectRefusal(refused, 429, 'rate_limited', 'More than 60 requests that call providers');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  for (const [method, end, json] of [
    ['PUT', '/provider', TWILIO],
    ['POST', '/providers', ACCOUNT],
  ] as const) {
    const url = `/api/ui/workspaces/${workspaceId}${end}`;
    const response = await ask(service.url, url, { token, method, json });
    expectRefusal(response, 429, 'rate_limited');
  }
  // Other requests of the workspace, and other workspaces, are not limited.
  const own = await ask(service.url, `/api/ui/workspaces/${workspaceId}/providers`, { token });
  expect(own.status).toBe(200);
  const other = await service.addWorkspace({ provider: false });
  await verifyUpTo(1, other.workspaceId, other.sessionToken);
});

test('a user has one limit of requests that call providers in all their workspaces', async () => {
  const { sessionToken: token } = await service.addWorkspace();
  let left = PER_USER;
  for (let index = 0; left > 0; index += 1) {
    const json = { name: `Workspace ${index}` };
    const added = await ask(service.url, '/api/ui/workspaces', { token, json });
    expect(added.status).toBe(201);
    await verifyUpTo(Math.min(left, PER_WORKSPACE - 1), String(added.json?.['id']), token);
    left -= PER_WORKSPACE - 1;
  }
  const json = { name: 'Another' };
  const added = await ask(service.url, '/api/ui/workspaces', { token, json });
  const refused = await verify(String(added.json?.['id']), token, 0);
  expectRefusal(refused, 429, 'rate_limited', 'that call providers from this user');
});
