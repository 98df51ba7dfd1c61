import { once } from 'node:events';
import { runCommand } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ask, expectRefusal, upwards } from '../start-service.ts';
import { dataOf } from '../workspace-client.ts';
import {
  type SignOnService,
  addPerson,
  approve,
  openBrowser,
  signIn,
  startSignOnService,
} from './environment.ts';

let service: SignOnService;
/** The role that the group `team` gives, and `leads`. */
let workspaceId: string;
let ownerToken: string;
let ownerId: string;

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
  ({ sessionToken: ownerToken, userId: ownerId } = owner);
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

test('an unknown person without an invitation or a group does not become a user', async () => {
  const { sub } = addPerson(service.idp);
  expect((await signIn(service, sub)).error).toBe('sign_up_closed');
  expect(await service.sql(`SELECT 1 FROM user_identities WHERE subject = $1`, [sub])).toEqual([]);
});

test('an invited address becomes a member at its first sign-in, and a member elsewhere is not added without being asked', async () => {
  const { sub, email } = addPerson(service.idp);
  const invite = () =>
    ask(service.url, `/api/ui/workspaces/${workspaceId}/members`, {
      token: ownerToken,
      json: { email, role: 'viewer' },
    });
  expect((await invite()).status).toBe(201);
  const { session } = await signIn(service, sub);
  expect(await rolesOf(session?.user.id ?? '')).toEqual([{ role: 'viewer', is_from_group: false }]);

  const other = await service.addWorkspace();
  await ask(service.url, `/api/ui/workspaces/${other.workspaceId}/members`, {
    token: other.sessionToken,
    json: { email, role: 'owner' },
  });
  await signIn(service, sub);
  const joined = await service.sql('SELECT 1 FROM members WHERE user_id = $1', [session?.user.id]);
  expect(joined).toHaveLength(1);
});

test('groups give, raise, lower and remove a membership, at once for open sockets, with audit entries', async () => {
  const { sub } = addPerson(service.idp, { groups: ['team'] });
  const { session } = await signIn(service, sub);
  const { token = '', user } = session ?? {};
  const userId = user?.id ?? '';
  expect(await rolesOf(userId)).toEqual([{ role: 'member', is_from_group: true }]);

  const url = `${service.url.replace('http', 'ws')}/api/ui/workspaces/${workspaceId}/events`;
  const socket = new WebSocket(url, ['messaging.v1', `bearer.${token}`]);
  await once(socket, 'message');
  const closed = once(socket, 'close');

  setGroups(sub, ['team', 'cn=leads,dc=corp']);
  await signIn(service, sub);
  expect(await rolesOf(userId)).toEqual([{ role: 'owner', is_from_group: true }]);
  setGroups(sub, ['team']);
  await signIn(service, sub);
  expect(await rolesOf(userId)).toEqual([{ role: 'member', is_from_group: true }]);
  setGroups(sub, []);
  await signIn(service, sub);
  expect(await rolesOf(userId)).toEqual([]);
  expect((await closed)[0]).toBe(4403);
  expectRefusal(
    await ask(service.url, `/api/ui/workspaces/${workspaceId}`, { token }),
    403,
    'forbidden',
  );

  const audit = await ask(service.url, `/api/ui/workspaces/${workspaceId}/audit`, {
    token: ownerToken,
  });
  const mine = dataOf(audit).filter((entry) => entry['target'] === userId);
  expect(mine.map(({ action }) => action)).toEqual([
    'member.removed',
    'member.role_changed',
    'member.role_changed',
    'member.joined',
  ]);
  expect(mine[0]).toMatchObject({ actor: { type: 'operator' }, detail: { via: 'single_sign_on' } });
});

test('a removed group takes away no membership that an owner gave or changed, and not the last owner', async () => {
  const { sub } = addPerson(service.idp, { groups: ['team'] });
  const { session } = await signIn(service, sub);
  const userId = session?.user.id ?? '';
  const path = `/api/ui/workspaces/${workspaceId}/members/${userId}`;
  const changed = await ask(service.url, path, {
    method: 'PATCH',
    token: ownerToken,
    json: { role: 'viewer' },
  });
  expect(changed.status).toBe(200);
  setGroups(sub, []);
  await signIn(service, sub);
  expect(await rolesOf(userId)).toEqual([{ role: 'viewer', is_from_group: false }]);

  const lead = addPerson(service.idp, { groups: ['cn=leads,dc=corp'] });
  const leadId = (await signIn(service, lead.sub)).session?.user.id ?? '';
  await service.sql(`UPDATE members SET role = 'member' WHERE user_id = $1`, [ownerId]);
  setGroups(lead.sub, []);
  await signIn(service, lead.sub);
  expect(await rolesOf(leadId)).toEqual([{ role: 'owner', is_from_group: true }]);
  await service.sql(`UPDATE members SET role = 'owner' WHERE user_id = $1`, [ownerId]);
  await signIn(service, lead.sub);
  expect(await rolesOf(leadId)).toEqual([]);
});

test('a user who registered the address of another person beforehand is not connected with that person', async () => {
  const attacker = await service.addWorkspace();
  const { sub, email } = addPerson(service.idp, { email: attacker.email, groups: ['team'] });
  expect((await signIn(service, sub)).error).toBe('unconfirmed_account');
  expect(await service.sql(`SELECT 1 FROM user_identities WHERE subject = $1`, [sub])).toEqual([]);
  expect(await rolesOf(attacker.userId)).toEqual([]);
  // The person confirms the address, which by a mailed link also ends what the attacker has.
  await service.sql('UPDATE users SET email_confirmed_at = now() WHERE email = $1', [email]);
  const { session } = await signIn(service, sub);
  expect(session?.user.id).toBe(attacker.userId);
});

test('a connected user is found by the identity and not by the address, and takes over a new address only without a password', async () => {
  const { sub, email } = addPerson(service.idp, { groups: ['team'] });
  const first = await signIn(service, sub);
  const moved = `moved.${email}`;
  const user = service.idp.users.get(sub);
  if (user === undefined) throw new Error('no user');
  user.email = moved;
  user.email_verified = false;
  expect((await signIn(service, sub)).session?.user).toMatchObject({
    id: first.session?.user.id,
    email,
  });
  user.email_verified = true;
  expect((await signIn(service, sub)).session?.user).toMatchObject({
    id: first.session?.user.id,
    email: moved,
  });
  // The address of another user stays theirs.
  const other = await service.addWorkspace();
  user.email = other.email;
  expect((await signIn(service, sub)).session?.user.email).toBe(moved);
  // Another identity with the address does not get the account.
  user.email = 'gone@corp.example';
  const recreated = addPerson(service.idp, { email: moved, groups: ['team'] });
  user.email = moved;
  expect((await signIn(service, recreated.sub)).error).toBe('other_identity');
});

test('a user connects with the password, signs in to the same account, and disconnects with the password', async () => {
  const owner = await service.addWorkspace();
  const token = owner.sessionToken;
  const { sub } = addPerson(service.idp);
  const browser = openBrowser();
  const connect = (password: string) =>
    browser.request(`${service.url}/api/ui/me/identity`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password, return_to: '/w/1/settings/account' }),
    });
  expect((await connect('not the password')).status).toBe(400);
  const { url } = JSON.parse((await connect(owner.password)).text) as { url: string };
  const callback = await approve(browser, new URL(url), sub);
  const { location } = await browser.request(callback.href);
  expect(location?.href).toBe(`${service.url}/w/1/settings/account#sso=connected`);
  const { session } = await signIn(service, sub);
  expect(session?.user.id).toBe(owner.userId);

  const audit = await ask(service.url, `/api/ui/workspaces/${owner.workspaceId}/audit`, { token });
  expect(dataOf(audit)[0]).toMatchObject({
    action: 'member.identity_connected',
    actor: { type: 'user', id: owner.userId },
    detail: { issuer: service.idp.issuer },
    ip: expect.any(String),
  });
  const disconnect = (password: string) =>
    ask(service.url, '/api/ui/me/identity/disconnect', { token, json: { password } });
  expectRefusal(await disconnect('not the password'), 400, 'invalid_params');
  expect((await disconnect(owner.password)).status).toBe(200);
  expect((await signIn(service, sub)).error).toBe('sign_up_closed');
});

test('a new signing key of the provider is known at once', async () => {
  const { sub } = addPerson(service.idp, { groups: ['team'] });
  expect((await signIn(service, sub)).error).toBeNull();
  service.idp.rotateKeys();
  expect((await signIn(service, sub)).error).toBeNull();
});

test('the operator lets a user in without password and provider, once', async () => {
  const { email, userId, workspaceId: own, sessionToken } = await service.addWorkspace();
  const env = { DATABASE_URL: service.database.url, PUBLIC_URL: service.url };
  const printed = await runCommand('sign-in-link', { env, args: [email] });
  const token = /\/sign-in#link=(swl_\w{43})\n$/.exec(printed.stdout)?.[1] ?? '';
  const use = () => ask(service.url, `/api/ui/sign-in-links/${token}`, { method: 'POST' });
  const both = await Promise.all([use(), use()]);
  expect(both.map(({ status }) => status).toSorted(upwards)).toEqual([201, 404]);
  const [row] = await service.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM sessions WHERE user_id = $1 AND sign_in_method = 'link'`,
    [userId],
  );
  expect(row?.n).toBe(1);
  const audit = await ask(service.url, `/api/ui/workspaces/${own}/audit`, { token: sessionToken });
  expect(
    dataOf(audit)
      .map(({ action }) => action)
      .slice(0, 2),
  ).toEqual(['member.sign_in_link_used', 'member.sign_in_link_created']);
});
