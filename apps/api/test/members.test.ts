import { inviteList, inviteToken, member, memberList, membership } from '@switchboard/contracts';
import { type WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BusListener, listenToBus } from './listen-to-bus.ts';
import { type Service, ask, expectRefusal, startService, upwards } from './start-service.ts';
import { type WorkspaceClient, addPerson, anEmail, clientOf, dataOf } from './workspace-client.ts';

let service: Service;
let bus: BusListener;
let workspace: WorkspaceFixture;
let owner: WorkspaceClient;

beforeAll(async () => {
  service = await startService();
  bus = await listenToBus(service.database.url);
});
afterAll(async () => {
  await bus.close();
  await service.close();
});
beforeEach(async () => {
  workspace = await service.addWorkspace();
  owner = clientOf(service, workspace, workspace.sessionToken);
});

const signUp = (json: unknown) => ask(service.url, '/api/ui/users', { json });
const PASSWORD = 'a new one’s password';

const accept = (invite: string, token: string) =>
  ask(service.url, `/api/ui/invites/${invite}/accept`, { method: 'POST', token });

const inviteSomeone = (role = 'member') => invitePerson(anEmail(), role);

async function invitePerson(email: string, role = 'member') {
  const answer = await owner('/members', { json: { email, role } });
  expect(answer.status).toBe(201);
  return { email, ...inviteToken.strict().parse(answer.json) };
}

describe('invites', () => {
  test('an invite is valid for seven days and makes the user who signs up with it a member', async () => {
    const { email, invite_token, expires_at } = await inviteSomeone();
    const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThanOrEqual(7);

    const signedUp = await signUp({ email, password: PASSWORD, name: 'New', invite_token });
    expect(signedUp.status).toBe(201);
    const token = String(signedUp.json?.['token']);
    const me = await ask(service.url, '/api/ui/me', { token });
    expect(me.json?.['workspaces']).toEqual([
      { id: workspace.workspaceId, name: 'Test workspace', role: 'member' },
    ]);
    expect((await clientOf(service, workspace, token)('')).status).toBe(200);
  });

  test('an invite token is stored only as a hash', async () => {
    const { invite_token } = await inviteSomeone();
    const rows = await service.sql('SELECT i::text, a::text FROM invites i, audit_entries a');
    expect(JSON.stringify(rows)).not.toContain(invite_token);
  });

  test('of five concurrent sign-ups with one invite, one succeeds', async () => {
    const { email, invite_token } = await inviteSomeone();
    const body = { email, password: PASSWORD, name: 'New', invite_token };
    const answers = await Promise.all(Array.from({ length: 5 }, () => signUp(body)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 403, 403, 403, 403,
    ]);
    expectRefusal(await signUp({ ...body, email: anEmail() }), 403, 'forbidden', 'used');
    expect(dataOf(await owner('/members'))).toHaveLength(2);
  });

  test('an invite is refused for another email address and after it has expired', async () => {
    const { email, invite_token } = await inviteSomeone();
    const body = { password: PASSWORD, name: 'New', invite_token };
    expectRefusal(
      await signUp({ ...body, email: anEmail() }),
      403,
      'forbidden',
      'another email address',
    );
    await service.sql(
      `UPDATE invites SET expires_at = now() - interval '1 second' WHERE email = $1`,
      [email],
    );
    expectRefusal(await signUp({ ...body, email }), 403, 'forbidden', 'expired');
    expect(await service.sql('SELECT 1 FROM users WHERE email = $1', [email])).toEqual([]);
  });

  test('a new invite for the same email address replaces the earlier one', async () => {
    const { email, invite_token: first } = await inviteSomeone();
    const again = await owner('/members', {
      json: { email: email.toUpperCase(), role: 'owner' },
    });
    const body = { email, password: PASSWORD, name: 'New' };
    expectRefusal(await signUp({ ...body, invite_token: first }), 403, 'forbidden');
    const second = again.json?.['invite_token'];
    expect((await signUp({ ...body, invite_token: second })).status).toBe(201);
    expect(dataOf(await owner('/members'))).toContainEqual(
      expect.objectContaining({ email, role: 'owner' }),
    );
  });

  test.each(['removed', 'demoted'])(
    'an invite becomes invalid when the owner who created it is %s',
    async (how) => {
      const second = await addPerson(service, workspace, 'owner');
      const email = anEmail();
      const made = await second.client('/members', { json: { email, role: 'owner' } });
      const { invite_token } = inviteToken.parse(made.json);
      const path = `/members/${second.userId}`;
      const ended = await (how === 'removed'
        ? owner(path, { method: 'DELETE' })
        : owner(path, { method: 'PATCH', json: { role: 'member' } }));
      expect(ended.status).toBe(200);
      const body = { email, password: PASSWORD, name: 'New', invite_token };
      expectRefusal(await signUp(body), 403, 'forbidden');
    },
  );

  test('an invite for an email address that has registered since is accepted by that user, not by a sign-up', async () => {
    const other = await service.addWorkspace();
    const { email, invite_token } = await inviteSomeone();
    await service.sql('UPDATE users SET email = $1 WHERE id = $2', [email, other.userId]);
    const body = { email, password: PASSWORD, name: 'New', invite_token };
    expectRefusal(await signUp(body), 400, 'already_exists');
    expect((await accept(invite_token, other.sessionToken)).status).toBe(201);
    expectRefusal(await signUp(body), 403, 'forbidden');
  });
});

describe('invites of existing users', () => {
  test('an invite for an existing user has the same response as any other and adds no member before it is accepted', async () => {
    const other = await service.addWorkspace();
    const json = { email: other.email, role: 'owner' };
    const answers = [
      await owner('/members', { json }),
      await owner('/members', { json: { ...json, email: anEmail() } }),
    ];
    for (const { status, json: answer } of answers) {
      expect(status).toBe(201);
      inviteToken.strict().parse(answer);
    }
    expect(dataOf(await owner('/members'))).toHaveLength(1);
    const theirs = clientOf(service, workspace, other.sessionToken);
    expectRefusal(await theirs('/members'), 403, 'forbidden');
  });

  test('accepting an invite makes the user a member and uses it up', async () => {
    const other = await service.addWorkspace();
    const { invite_token } = await invitePerson(other.email, 'owner');
    const accepted = await accept(invite_token, other.sessionToken);
    expect(accepted.status).toBe(201);
    expect(membership.strict().parse(accepted.json)).toMatchObject({
      workspace_id: workspace.workspaceId,
      user_id: other.userId,
      role: 'owner',
    });
    expectRefusal(await accept(invite_token, other.sessionToken), 404, 'not_found');
    expect(dataOf(await owner('/members'))).toContainEqual(
      expect.objectContaining({ user_id: other.userId, email: other.email, role: 'owner' }),
    );
    expectRefusal(
      await owner('/members', { json: { email: other.email, role: 'member' } }),
      400,
      'already_exists',
    );
  });

  test('only the user with the email address of an invite can accept it', async () => {
    const [invited, thief] = [await service.addWorkspace(), await service.addWorkspace()];
    const { invite_token } = await invitePerson(invited.email);
    expectRefusal(
      await accept(invite_token, thief.sessionToken),
      404,
      'not_found',
      'another email address',
    );
    expectRefusal(await accept('swi_made-up', thief.sessionToken), 404, 'not_found');
    expect((await accept(invite_token, invited.sessionToken)).status).toBe(201);
  });

  test('an expired invite cannot be accepted', async () => {
    const other = await service.addWorkspace();
    const { invite_token } = await invitePerson(other.email);
    await service.sql(`UPDATE invites SET expires_at = now() WHERE email = $1`, [other.email]);
    expectRefusal(await accept(invite_token, other.sessionToken), 404, 'not_found');
  });

  test('five concurrent acceptances of one invite create one membership', async () => {
    const other = await service.addWorkspace();
    const { invite_token } = await invitePerson(other.email);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => accept(invite_token, other.sessionToken)),
    );
    expect(answers.map(({ status }) => status).toSorted(upwards)).toEqual([
      201, 404, 404, 404, 404,
    ]);
    expect(dataOf(await owner('/members'))).toHaveLength(2);
  });
});

describe('open invites', () => {
  test('owners see open invites, newest first, without their tokens', async () => {
    const first = await inviteSomeone();
    const second = await inviteSomeone('owner');
    const expired = await inviteSomeone();
    await service.sql('UPDATE invites SET expires_at = now() WHERE email = $1', [expired.email]);
    const { data, pagination } = inviteList.strict().parse((await owner('/invites')).json);
    expect(data).toEqual([
      {
        id: expect.any(String),
        email: second.email,
        role: 'owner',
        invited_by: { id: workspace.userId, name: 'Owner' },
        created_at: expect.any(String),
        expires_at: second.expires_at,
      },
      expect.objectContaining({ email: first.email, role: 'member' }),
    ]);
    expect(pagination.totalItems).toBe(2);
  });

  test('a withdrawn invite is invalid', async () => {
    const { email, invite_token } = await inviteSomeone();
    const kept = await inviteSomeone();
    const [id] = dataOf(await owner('/invites'))
      .filter((each) => each['email'] === email)
      .map((each) => String(each['id']));
    const withdrawn = await owner(`/invites/${id}`, { method: 'DELETE' });
    expect([withdrawn.status, withdrawn.json]).toEqual([200, { ok: true }]);
    expectRefusal(await owner(`/invites/${id}`, { method: 'DELETE' }), 404, 'not_found');
    const body = { email, password: PASSWORD, name: 'New', invite_token };
    expectRefusal(await signUp(body), 403, 'forbidden', 'unknown');
    expect(dataOf(await owner('/invites')).map((each) => each['email'])).toEqual([kept.email]);
  });
});

describe('closed sign-up', () => {
  const body = () => ({ email: anEmail(), password: PASSWORD, name: 'New' });

  test('sign-up without an invite is closed after the first user', async () => {
    expectRefusal(await signUp(body()), 403, 'forbidden', 'sign-up is closed');
  });

  test.each(['', 'swi_made-up', 'a'.repeat(200)])(
    'sign-up with the invalid invite %j is refused',
    async (token) => {
      expectRefusal(await signUp({ ...body(), invite_token: token }), 403, 'forbidden', 'unknown');
    },
  );

  test('sign-up with an invite that is not a string is refused with an error that says so', async () => {
    expectRefusal(
      await signUp({ ...body(), invite_token: 7 }),
      400,
      'invalid_params',
      '`invite_token` must be a string',
    );
  });
});

describe('members', () => {
  test('members are listed with their role in the order in which they joined', async () => {
    const person = await addPerson(service, workspace, 'owner');
    const listed = memberList.strict().parse((await owner('/members')).json);
    expect(listed.data.map(({ user_id, role }) => [user_id, role])).toEqual([
      [workspace.userId, 'owner'],
      [person.userId, 'owner'],
    ]);
    expect(listed.pagination).toEqual({
      currentPage: 1,
      totalPages: 1,
      totalItems: 2,
      hasNext: false,
    });
  });

  test('a member can remove only themselves', async () => {
    const person = await addPerson(service, workspace, 'member');
    const other = await addPerson(service, workspace, 'member');
    const leave = (userId: string) => person.client(`/members/${userId}`, { method: 'DELETE' });
    expectRefusal(await leave(other.userId), 403, 'forbidden');
    expectRefusal(await leave(workspace.userId), 403, 'forbidden');
    const left = await leave(person.userId.toUpperCase());
    expect([left.status, left.json]).toEqual([200, { ok: true }]);
    expectRefusal(await person.client('/members'), 403, 'forbidden');
    const { workspaceId } = workspace;
    await bus.waitFor({ kind: 'member_removed', workspaceId, userId: person.userId });
    expect(dataOf(await owner('/audit'))[0]).toMatchObject({
      action: 'member.left',
      target: person.userId,
      actor: { type: 'user', id: person.userId },
    });
  });

  test('a removed member loses access immediately on every process', async () => {
    const person = await addPerson(service, workspace, 'member');
    expect((await person.client('/members')).status).toBe(200);
    const removed = await owner(`/members/${person.userId.toUpperCase()}`, { method: 'DELETE' });
    expect([removed.status, removed.json]).toEqual([200, { ok: true }]);
    expectRefusal(await person.client('/members'), 403, 'forbidden');
    const { workspaceId } = workspace;
    await bus.waitFor({ kind: 'member_removed', workspaceId, userId: person.userId });
    expectRefusal(await owner(`/members/${person.userId}`, { method: 'DELETE' }), 404, 'not_found');
  });

  test('an owner can promote and demote members', async () => {
    const person = await addPerson(service, workspace, 'member');
    const path = `/members/${person.userId}`;
    const up = await owner(path, { method: 'PATCH', json: { role: 'owner' } });
    expect(member.strict().parse(up.json).role).toBe('owner');
    expect((await person.client('/audit')).status).toBe(200);
    const down = await owner(path, { method: 'PATCH', json: { role: 'member' } });
    expect(member.strict().parse(down.json).role).toBe('member');
    expectRefusal(await person.client('/audit'), 403, 'forbidden');
  });
});

describe('the last owner', () => {
  test('the last owner can be neither removed nor demoted', async () => {
    await addPerson(service, workspace, 'member');
    const path = `/members/${workspace.userId}`;
    expectRefusal(await owner(path, { method: 'DELETE' }), 400, 'invalid_state');
    expectRefusal(
      await owner(path, { method: 'PATCH', json: { role: 'member' } }),
      400,
      'invalid_state',
    );
    expect((await owner(path, { method: 'PATCH', json: { role: 'owner' } })).status).toBe(200);
  });

  test('two owners who remove each other at the same time leave one owner', async () => {
    for (let round = 0; round < 3; round += 1) {
      const here = await service.addWorkspace();
      const first = clientOf(service, here, here.sessionToken);
      const second = await addPerson(service, here, 'owner');
      const answers = await Promise.all([
        first(`/members/${second.userId}`, { method: 'DELETE' }),
        second.client(`/members/${here.userId}`, { method: 'PATCH', json: { role: 'member' } }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const owners = await service.sql(
        `SELECT 1 FROM members WHERE workspace_id = $1 AND role = 'owner'`,
        [here.workspaceId],
      );
      expect(owners).toHaveLength(1);
    }
  });
});

test('the workspaces of a user are listed with the user’s role', async () => {
  const created = await ask(service.url, '/api/ui/workspaces', {
    token: workspace.sessionToken,
    json: { name: ' Second ' },
  });
  expect(created.status).toBe(201);
  const other = await service.addWorkspace();
  const theirs = clientOf(service, other, other.sessionToken);
  const invited = await theirs('/members', { json: { email: workspace.email, role: 'member' } });
  await accept(String(invited.json?.['invite_token']), workspace.sessionToken);

  const token = workspace.sessionToken;
  const all = await ask(service.url, '/api/ui/workspaces', { token });
  expect(dataOf(all).map(({ id, role }) => [id, role])).toEqual([
    [workspace.workspaceId, 'owner'],
    [created.json?.['id'], 'owner'],
    [other.workspaceId, 'member'],
  ]);
  expect(dataOf(all)[0]).toMatchObject({
    provider_configured: true,
    default_number: workspace.from,
  });

  const paged = await ask(service.url, '/api/ui/workspaces?limit=2&page=2', { token });
  expect(dataOf(paged).map(({ id }) => id)).toEqual([other.workspaceId]);
  expect(paged.json?.['pagination']).toEqual({
    currentPage: 2,
    totalPages: 2,
    totalItems: 3,
    hasNext: false,
  });
  const beyond = await ask(service.url, '/api/ui/workspaces?page=9007199254740993', { token });
  expect(dataOf(beyond)).toEqual([]);
});
