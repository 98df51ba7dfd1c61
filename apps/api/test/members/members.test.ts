import { member, memberList } from '@switchboard/contracts';
import { describe, expect, test } from 'vitest';
import { ask, expectRefusal } from '../start-service.ts';
import { addPerson, clientOf, dataOf } from '../workspace-client.ts';
import { service, bus, workspace, owner, accept, useMembersService } from './environment.ts';
import { describeInvites } from './invites.suite.ts';

useMembersService();

// The suites share one API process.
describeInvites();

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

  test('a removed member loses access immediately in every process', async () => {
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
      const responses = await Promise.all([
        first(`/members/${second.userId}`, { method: 'DELETE' }),
        second.client(`/members/${here.userId}`, { method: 'PATCH', json: { role: 'member' } }),
      ]);
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
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
