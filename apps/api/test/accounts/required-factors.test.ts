import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ask, expectRefusal } from '../start-service.ts';
import { addPerson, clientOf, dataOf } from '../workspace-client.ts';
import { type MailingService, startMailingService } from './environment.ts';
import { setUpFactor } from './second-factor-client.ts';

let service: MailingService;

beforeAll(async () => {
  service = await startMailingService();
});
afterAll(() => service.close());

const CLOSED = /this workspace requires a second factor\. Set one up in your account settings/;

const connect = (workspaceId: string, token: string) =>
  new WebSocket(`${service.url.replace('http', 'ws')}/api/ui/workspaces/${workspaceId}/events`, [
    'messaging.v1',
    `bearer.${token}`,
  ]);

/** Returns the status with which the upgrade is refused. */
async function refusedSocket(workspaceId: string, token: string): Promise<number | undefined> {
  const socket = connect(workspaceId, token);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  response.resume();
  return response.statusCode;
}

async function openSocket(workspaceId: string, token: string) {
  const socket = connect(workspaceId, token);
  await once(socket, 'message');
  return { closed: once(socket, 'close') };
}

test('a workspace that requires a second factor is closed to members without one, until they have it', async () => {
  const workspace = await service.addWorkspace();
  const { workspaceId, sessionToken } = workspace;
  const owner = clientOf(service, workspace, sessionToken);
  const member = await addPerson(service, workspace, 'member');
  const socket = await openSocket(workspaceId, member.token);
  const require = { method: 'PATCH', json: { require_second_factor: true } };
  expectRefusal(await owner('', require), 403, 'forbidden', /for yourself/);
  await setUpFactor(service, workspace);
  expect((await owner('', require)).status).toBe(200);
  expect((await owner('')).json).toMatchObject({ require_second_factor: true });

  expect((await socket.closed)[0]).toBe(4403);
  expectRefusal(await member.client(''), 403, 'forbidden', CLOSED);
  expectRefusal(await member.client('/messages'), 403, 'forbidden', CLOSED);
  expect(await refusedSocket(workspaceId, member.token)).toBe(403);
  // Keys act for programs, which have no phone.
  const byKey = await ask(service.url, '/api/workspace', { token: workspace.apiKey });
  expect(byKey.status).toBe(200);
  const me = async () =>
    (await ask(service.url, '/api/ui/me', { token: member.token })).json?.['workspaces'];
  expect(await me()).toMatchObject([{ id: workspaceId, needs_second_factor: true }]);
  const shown = async () =>
    dataOf(await ask(service.url, '/api/ui/workspaces', { token: member.token }));
  const hidden = { country: null, default_number: null, provider_configured: false };
  expect(await shown()).toMatchObject([{ id: workspaceId, ...hidden }]);
  const listed = async () =>
    dataOf(await owner('/members')).map((each) => [each['email'], each['second_factor']]);
  expect(await listed()).toEqual([
    [workspace.email, true],
    [member.email, false],
  ]);

  const factor = await setUpFactor(service, { ...member, sessionToken: member.token });
  expect((await member.client('/messages')).status).toBe(200);
  expect(await me()).toMatchObject([{ id: workspaceId, needs_second_factor: false }]);
  const number = { default_number: expect.stringMatching(/^\+/) as string };
  expect(await shown()).toMatchObject([{ id: workspaceId, provider_configured: true, ...number }]);
  expect(dataOf(await member.client('/members'))[0]).toMatchObject({ second_factor: null });

  const again = await openSocket(workspaceId, member.token);
  const off = await ask(service.url, '/api/ui/totp', {
    method: 'DELETE',
    token: member.token,
    json: { password: member.password, code: factor.recoveryCodes[0] },
  });
  expect(off.status).toBe(200);
  expect((await again.closed)[0]).toBe(4403);
  expectRefusal(await member.client(''), 403, 'forbidden', CLOSED);
  expect(dataOf(await owner('/audit'))).toContainEqual(
    expect.objectContaining({
      action: 'workspace.second_factor_rule_changed',
      detail: { required: true },
    }),
  );
  expect(
    (await owner('', { method: 'PATCH', json: { require_second_factor: false } })).status,
  ).toBe(200);
  expect((await member.client('')).status).toBe(200);
});

test('neither a member nor an API key changes whether a workspace requires a second factor', async () => {
  const workspace = await service.addWorkspace();
  const member = await addPerson(service, workspace, 'member');
  await setUpFactor(service, { ...member, sessionToken: member.token });
  for (const required of [true, false]) {
    await service.sql('UPDATE workspaces SET require_second_factor = $2 WHERE id = $1', [
      workspace.workspaceId,
      !required,
    ]);
    const json = { require_second_factor: required };
    const byMember = await member.client('', { method: 'PATCH', json });
    expectRefusal(byMember, 403, 'forbidden', /an owner.*`require_second_factor`/);
    const byKey = await ask(service.url, '/api/workspace', {
      method: 'PATCH',
      token: workspace.apiKey,
      json,
    });
    expectRefusal(byKey, 403, 'forbidden', /an owner.*`require_second_factor`/);
  }
  const wrong = await member.client('', {
    method: 'PATCH',
    json: { require_second_factor: 'yes' },
  });
  expectRefusal(wrong, 400, 'invalid_params', /`require_second_factor` must be true or false/);
  expect((await member.client('', { method: 'PATCH', json: { name: 'Renamed' } })).status).toBe(
    200,
  );
});

test('the rule of a workspace is that of its test mode too, where it cannot be changed', async () => {
  const workspace = await service.addWorkspace();
  const owner = clientOf(service, workspace, workspace.sessionToken);
  await setUpFactor(service, workspace);
  const opened = await owner('/test-workspace', { method: 'POST' });
  const testId = String(opened.json?.['id']);
  const inTest = clientOf(service, { workspaceId: testId }, workspace.sessionToken);
  const member = await addPerson(service, workspace, 'member');
  const memberInTest = clientOf(service, { workspaceId: testId }, member.token);
  const change = (required: boolean) => ({
    method: 'PATCH',
    json: { name: 'Tests', require_second_factor: required },
  });
  const stored = async () => {
    const rows = await service.sql<{ required: boolean }>(
      'SELECT require_second_factor AS required FROM workspaces WHERE id = ANY($1) ORDER BY id',
      [[workspace.workspaceId, testId]],
    );
    return rows.map(({ required }) => required);
  };

  expectRefusal(await inTest('', change(true)), 403, 'forbidden', /live workspace.*`require_sec/);
  expect((await inTest('', change(false))).status).toBe(200);
  expect(await stored()).toEqual([false, false]);

  const socket = await openSocket(testId, member.token);
  expect((await owner('', change(true))).status).toBe(200);
  expect((await socket.closed)[0]).toBe(4403);
  expectRefusal(await memberInTest('/messages'), 403, 'forbidden', CLOSED);
  expect((await inTest('')).json).toMatchObject({ mode: 'test', require_second_factor: true });
  expectRefusal(await inTest('', change(false)), 403, 'forbidden', /live workspace/);
  expect((await inTest('', change(true))).status).toBe(200);
  expect(await stored()).toEqual([true, false]);
});
