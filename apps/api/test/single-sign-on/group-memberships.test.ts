import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { EVENTUALLY, runCommand } from '@switchboard/testing';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { listenToBus } from '../listen-to-bus.ts';
import { ask, expectRefusal } from '../start-service.ts';
import { dataOf } from '../workspace-client.ts';
import { type SignOnService, addPerson, signIn, startSignOnService } from './environment.ts';

let service: SignOnService;
let workspaceId: string;
let ownerToken: string;

beforeAll(async () => {
  workspaceId = '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36';
  service = await startSignOnService({
    env: {
      OIDC_SCOPES: 'openid email profile groups',
      OIDC_ROLE_CLAIM: 'groups',
      OIDC_ROLE_MAP: `team:${workspaceId}:member,cn=leads,dc=corp:${workspaceId}:owner`,
    },
  });
  const owner = await service.addWorkspace();
  ownerToken = owner.sessionToken;
  await service.sql('UPDATE workspaces SET id = $1 WHERE id = $2', [
    workspaceId,
    owner.workspaceId,
  ]);
});
afterAll(() => service.close());

const rolesOf = async (userId: string) =>
  service.sql<{ role: string; is_from_group: boolean }>(
    'SELECT role::text, is_from_group FROM members WHERE user_id = $1 AND workspace_id = $2',
    [userId, workspaceId],
  );
const setGroups = (sub: string, groups: string[]) => {
  const user = service.idp.users.get(sub);
  if (user !== undefined) user.groups = groups;
};

test('a membership that a group gave counts after a single sign-on, and in no session that began with a password', async () => {
  const { sub, email } = addPerson(service.idp, { groups: ['team'] });
  const { session } = await signIn(service, sub);
  const userId = session?.user.id ?? '';
  const link = await runCommand('reset-password', {
    env: { DATABASE_URL: service.database.url, PUBLIC_URL: service.url },
    args: [email],
  });
  const resetToken = /token=(\S+)/.exec(link.stdout)?.[1];
  const password = 'a password beside the single sign-on';
  const json = { password };
  await ask(service.url, `/api/ui/password-resets/${resetToken}`, { json });
  const logIn = async () => {
    const started = await ask(service.url, '/api/ui/sessions', { json: { email, password } });
    return String(started.json?.['token']);
  };
  const token = await logIn();
  const workspacesOf = async (of: string) =>
    (await ask(service.url, '/api/ui/me', { token: of })).json?.['workspaces'];
  const path = `/api/ui/workspaces/${workspaceId}`;
  expect(await rolesOf(userId)).toEqual([{ role: 'member', is_from_group: true }]);
  expectRefusal(await ask(service.url, `${path}/messages`, { token }), 403, 'forbidden');
  expect(await workspacesOf(token)).toEqual([]);
  expect(dataOf(await ask(service.url, '/api/ui/workspaces', { token }))).toEqual([]);
  const url = `${service.url.replace('http', 'ws')}${path}/events`;
  const refused = new WebSocket(url, ['messaging.v1', `bearer.${token}`]);
  const [, response] = (await once(refused, 'unexpected-response')) as [unknown, IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(403);

  // The reset has disconnected the person from the provider.
  await service.sql('UPDATE users SET email_confirmed_at = now() WHERE id = $1', [userId]);
  const again = (await signIn(service, sub)).session?.token ?? '';
  expect((await ask(service.url, `${path}/messages`, { token: again })).status).toBe(200);
  expect(await workspacesOf(again)).toMatchObject([{ id: workspaceId }]);

  // What an owner has given counts in every session, and a socket that was opened with it ends with it.
  await service.sql('UPDATE members SET is_from_group = false WHERE user_id = $1', [userId]);
  const socket = new WebSocket(url, ['messaging.v1', `bearer.${token}`]);
  await once(socket, 'message');
  const closed = once(socket, 'close');
  await service.sql('UPDATE members SET is_from_group = true WHERE user_id = $1', [userId]);
  expect((await closed)[0]).toBe(4403);
});

test('an owner makes a membership that a group gave permanent with the role that it has', async () => {
  const { sub } = addPerson(service.idp, { groups: ['cn=leads,dc=corp'] });
  const userId = (await signIn(service, sub)).session?.user.id ?? '';
  expect(await rolesOf(userId)).toEqual([{ role: 'owner', is_from_group: true }]);
  const keep = () =>
    ask(service.url, `/api/ui/workspaces/${workspaceId}/members/${userId}`, {
      method: 'PATCH',
      token: ownerToken,
      json: { role: 'owner' },
    });
  expect((await keep()).json).toMatchObject({ user_id: userId, role: 'owner' });
  expect((await keep()).status).toBe(200);
  expect(await rolesOf(userId)).toEqual([{ role: 'owner', is_from_group: false }]);
  const entries = await service.sql(
    `SELECT detail ->> 'from' AS from, detail ->> 'to' AS to FROM audit_entries
     WHERE action = 'member.role_changed' AND target = $1`,
    [userId],
  );
  expect(entries).toEqual([{ from: 'owner', to: 'owner' }]);
  setGroups(sub, []);
  await signIn(service, sub);
  expect(await rolesOf(userId)).toEqual([{ role: 'owner', is_from_group: false }]);
});

test('an account is not closed in a session that does not show all of its workspaces', async () => {
  const { sub, email } = addPerson(service.idp, { groups: ['team'] });
  const { session } = await signIn(service, sub);
  const userId = session?.user.id ?? '';
  const token = session?.token ?? '';
  const close = () => ask(service.url, '/api/ui/me', { method: 'DELETE', token });
  const signedInBy = (method: string) =>
    service.sql('UPDATE sessions SET sign_in_method = $2 WHERE user_id = $1', [userId, method]);
  await signedInBy('password');
  expectRefusal(await close(), 403, 'forbidden', /single sign-on/);
  expect(await rolesOf(userId)).toHaveLength(1);
  expect(await service.sql('SELECT 1 FROM users WHERE email = $1', [email])).toHaveLength(1);
  await signedInBy('single_sign_on');
  expect((await close()).status).toBe(200);
  expect(await rolesOf(userId)).toEqual([]);
});

test('a role that a group changes, and one that an owner changes, is reported to all processes', async () => {
  const { sub } = addPerson(service.idp, { groups: ['team'] });
  const bus = await listenToBus(service.database.url);
  onTestFinished(() => bus.close());
  const userId = (await signIn(service, sub)).session?.user.id ?? '';
  const reports = () =>
    bus.notifications.filter((one) => one.kind === 'access_changed' && one.id === userId);
  const untilReported = (times: number) =>
    vi.waitFor(() => expect(reports()).toHaveLength(times), EVENTUALLY);
  await untilReported(1);
  setGroups(sub, ['cn=leads,dc=corp']);
  await signIn(service, sub);
  await untilReported(2);
  await ask(service.url, `/api/ui/workspaces/${workspaceId}/members/${userId}`, {
    method: 'PATCH',
    token: ownerToken,
    json: { role: 'viewer' },
  });
  await untilReported(3);
});
