import { openTestDatabase } from '@switchboard/testing';
import { createUuidV7 } from '@switchboard/core';
import { createPhoneNumberStore } from '@switchboard/database';
import { auditList } from '@switchboard/contracts';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, ask, expectRefusal, startService } from './start-service.ts';
import { addPerson, anEmail, clientOf, dataOf } from './workspace-client.ts';

let service: Service;
let workspace: WorkspaceFixture;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});
afterAll(async () => {
  await service.close();
});

test('the audit trail lists every settings change with its author, newest first, and omits refused changes', async () => {
  const { workspaceId, email: ownerEmail } = workspace;
  const owner = clientOf(service, workspace, workspace.sessionToken);
  const program = (path: string, options: object) =>
    ask(service.url, `/api${path}`, { token: workspace.apiKey, ...options });
  const invited = anEmail();
  const person = await addPerson(service, workspace, 'member');
  const other = await service.addWorkspace();
  const patch = { method: 'PATCH' };
  const remove = { method: 'DELETE' };
  const AC = `AC${'0'.repeat(32)}`;

  await owner('', { ...patch, json: { name: 'Renamed' } });
  await program('/workspace', { ...patch, json: { name: 'By a program' } });
  await owner('/members', { json: { email: invited, role: 'member' } });
  const invite = await owner('/members', { json: { email: other.email, role: 'owner' } });
  await ask(service.url, `/api/ui/invites/${String(invite.json?.['invite_token'])}/accept`, {
    method: 'POST',
    token: other.sessionToken,
  });
  const [open] = dataOf(await owner('/invites'));
  await owner(`/invites/${String(open?.['id'])}`, remove);
  await owner(`/members/${person.userId}`, { ...patch, json: { role: 'owner' } });
  await owner(`/members/${other.userId}`, remove);
  const key = await owner('/api-keys', { json: { name: 'A key' } });
  await owner(`/api-keys/${String(key.json?.['id'])}`, remove);
  const account = { type: 'twilio', account_sid: AC, auth_token: 'b'.repeat(32) };
  await owner('/provider', { method: 'PUT', json: account });
  await owner('/provider', remove);
  const number = await program('/numbers', { json: { number: '+15551110000', label: 'One' } });
  const numberId = String(number.json?.['id']);
  await owner(`/numbers/${numberId}`, { ...patch, json: { label: 'Two', is_default: true } });
  await person.client(`/numbers/${numberId}`, remove);
  await ask(service.url, '/api/ui/me/password', {
    token: person.token,
    json: { current_password: person.password, password: 'another long password' },
  });

  // A request that changes nothing has no entry.
  await owner('', { ...patch, json: { name: 'By a program' } });
  await owner('', { ...patch, json: { name: '' } });
  await owner(`/members/${person.userId}`, { ...patch, json: { role: 'owner' } });
  await owner(`/api-keys/${String(key.json?.['id'])}`, remove);
  await owner('/numbers', { json: { number: 'not a number' } });

  const { data, pagination } = auditList.strict().parse((await owner('/audit?limit=100')).json);
  const byOwner = { type: 'user', id: workspace.userId, name: ownerEmail };
  const byPerson = { type: 'user', id: person.userId, name: person.email };
  const byOther = { type: 'user', id: other.userId, name: other.email };
  const byProgram = { type: 'api_key', id: workspace.apiKeyId, name: 'Test' };
  const role = 'member';
  expect(data.map(({ actor, action, target, detail }) => [actor, action, target, detail])).toEqual(
    [
      [byOwner, 'member.invited', person.email, { role }],
      [byPerson, 'member.joined', person.userId, { email: person.email, role }],
      [byOwner, 'workspace.renamed', workspaceId, { from: 'Test workspace', to: 'Renamed' }],
      [byProgram, 'workspace.renamed', workspaceId, { from: 'Renamed', to: 'By a program' }],
      [byOwner, 'member.invited', invited, { role }],
      [byOwner, 'member.invited', other.email, { role: 'owner' }],
      [byOther, 'member.joined', other.userId, { email: other.email, role: 'owner' }],
      [byOwner, 'invite.withdrawn', invited, { role }],
      [
        byOwner,
        'member.role_changed',
        person.userId,
        { email: person.email, from: 'member', to: 'owner' },
      ],
      [byOwner, 'member.removed', other.userId, { email: other.email, role: 'owner' }],
      [byOwner, 'api_key.created', key.json?.['id'], { name: 'A key' }],
      [byOwner, 'api_key.revoked', key.json?.['id'], { name: 'A key' }],
      [
        byOwner,
        'provider.set',
        AC,
        {
          type: 'twilio',
          auth_token_last4: 'bbbb',
          messaging_service_sid: null,
          on_unknown: 'resend',
        },
      ],
      [byOwner, 'provider.deleted', AC, { type: 'twilio' }],
      [
        byProgram,
        'number.added',
        numberId,
        { number: '+15551110000', label: 'One', is_default: false },
      ],
      [
        byOwner,
        'number.changed',
        numberId,
        { number: '+15551110000', label: 'Two', is_default: true },
      ],
      [byPerson, 'number.deleted', numberId, { number: '+15551110000' }],
      [byPerson, 'member.password_changed', person.userId, {}],
    ].toReversed(),
  );
  expect(pagination.totalItems).toBe(data.length);

  // Each workspace has its own trail.
  const theirs = await clientOf(service, other, other.sessionToken)('/audit');
  expect(theirs.json?.['pagination']).toMatchObject({ totalItems: 0 });
  // The removed owner no longer has access to this workspace.
  expectRefusal(await clientOf(service, workspace, other.sessionToken)('/audit'), 403, 'forbidden');
});

test('the audit trail of a workspace begins with its creation and lists changes by the operator', async () => {
  const { sessionToken, userId, email } = await service.addWorkspace();
  const created = await ask(service.url, '/api/ui/workspaces', {
    token: sessionToken,
    json: { name: 'New' },
  });
  const workspaceId = String(created.json?.['id']);
  const database = openTestDatabase(service.database.url);
  await createPhoneNumberStore(database).create(workspaceId, {
    id: createUuidV7(Date.now()),
    number: '+15551110001',
    label: '',
    capabilities: ['sms'],
    createdAt: new Date(),
  });
  await database.close();

  const trail = await clientOf(service, { workspaceId }, sessionToken)('/audit');
  const { data } = auditList.strict().parse(trail.json);
  expect(data.map(({ actor, action, detail }) => [actor, action, detail])).toEqual([
    [
      { type: 'operator', id: null, name: null },
      'number.added',
      { number: '+15551110001', label: '', is_default: true },
    ],
    [{ type: 'user', id: userId, name: email }, 'workspace.created', { name: 'New' }],
  ]);
});

test('a change is rolled back when its audit entry cannot be written', async () => {
  const here = await service.addWorkspace();
  const owner = clientOf(service, here, here.sessionToken);
  await service.sql(
    `ALTER TABLE audit_entries ADD CONSTRAINT full_up CHECK (target = '') NOT VALID`,
  );
  try {
    const key = await owner(`/api-keys/${here.apiKeyId}`, { method: 'DELETE' });
    expectRefusal(key, 500, 'internal_error');
    const renamed = await owner('', { method: 'PATCH', json: { name: 'New' } });
    expectRefusal(renamed, 500, 'update_failed');
  } finally {
    await service.sql('ALTER TABLE audit_entries DROP CONSTRAINT full_up');
  }
  const workspaceOf = await ask(service.url, '/api/workspace', { token: here.apiKey });
  expect(workspaceOf.json?.['name']).toBe('Test workspace');
});

test('an opt-out that a user adds or removes, and changed keyword replies, are in the audit trail', async () => {
  const here = await service.addWorkspace();
  const owner = clientOf(service, here, here.sessionToken);
  const number = '+15557650123';
  const path = `/opt-outs/${encodeURIComponent(number)}`;
  const replies = (json: object) => owner('/keyword-replies', { method: 'PATCH', json });

  await owner('/opt-outs', { json: { number, reason: 'By letter' } });
  expectRefusal(await owner('/opt-outs', { json: { number } }), 400, 'already_exists');
  await owner(path, { method: 'DELETE' });
  expectRefusal(await owner(path, { method: 'DELETE' }), 404, 'not_found');
  await replies({ help: 'Ask us.', opt_in: null });
  await replies({ help: ' Ask us. ' });
  await replies({ help: null, opt_out: 'Goodbye.' });

  const { data } = auditList.parse((await owner('/audit?limit=4')).json);
  const actor = { type: 'user', id: here.userId, name: here.email };
  expect(data.map((entry) => [entry.actor, entry.action, entry.target, entry.detail])).toEqual(
    [
      [actor, 'opt_out.added', number, { reason: 'By letter' }],
      [actor, 'opt_out.removed', number, { reason: 'By letter' }],
      [actor, 'keyword_replies.changed', here.workspaceId, { help: { from: null, to: 'Ask us.' } }],
      [
        actor,
        'keyword_replies.changed',
        here.workspaceId,
        { opt_out: { from: null, to: 'Goodbye.' }, help: { from: 'Ask us.', to: null } },
      ],
    ].toReversed(),
  );
});

test('the audit trail has every change of a saved reply with its texts, and no refused or empty change', async () => {
  const here = await service.addWorkspace();
  const member = await addPerson(service, here, 'member');
  const texts = { name: 'Hours', body: 'We open at 9.' };
  const id = String((await member.client('/saved-replies', { json: texts })).json?.['id']);
  const path = `/saved-replies/${id}`;
  expectRefusal(await member.client('/saved-replies', { json: texts }), 400, 'already_exists');
  const patch = (json: object) => member.client(path, { method: 'PATCH', json });
  expect((await patch({ body: 'We open at 10.' })).status).toBe(200);
  expect((await patch({ name: 'Hours' })).status).toBe(200);
  expect((await member.client(path, { method: 'DELETE' })).status).toBe(200);
  expectRefusal(await member.client(path, { method: 'DELETE' }), 404, 'not_found');

  const owner = clientOf(service, here, here.sessionToken);
  const { data } = auditList.parse((await owner('/audit?limit=3')).json);
  const actor = { type: 'user', id: member.userId, name: member.email };
  const changed = { ...texts, body: 'We open at 10.' };
  expect(data.map((entry) => [entry.actor, entry.action, entry.target, entry.detail])).toEqual([
    [actor, 'saved_reply.removed', id, changed],
    [actor, 'saved_reply.changed', id, changed],
    [actor, 'saved_reply.added', id, texts],
  ]);
});

test('the audit trail is exported as a table, without formulas that a spreadsheet would execute', async () => {
  const own = await service.addWorkspace();
  const owner = clientOf(service, own, own.sessionToken);
  const created = await owner('/api-keys', { json: { name: '=1+1' } });
  const token = String(created.json?.['key']);
  for (let n = 1; n <= 3; n += 1) {
    await ask(service.url, '/api/workspace', {
      method: 'PATCH',
      token,
      json: { name: `Name ${n}` },
    });
  }
  const table = await owner('/audit/export.csv');
  expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [head, ...lines] = table.text.trimEnd().split('\r\n');
  expect(head).toBe('at,actor_type,actor_id,actor,action,target,detail,ip');
  expect(lines).toHaveLength(4);
  const id = String(created.json?.['id']);
  expect(lines[0]).toMatch(
    new RegExp(`^20[\\d-]+T[\\d:.]+Z,api_key,${id},'=1\\+1,workspace.renamed,${own.workspaceId},`),
  );
  expect(lines[0]).toContain('""to"":""Name 3""');
  expect(lines[3]).toContain(`user,${own.userId},${own.email},api_key.created`);
  const member = await addPerson(service, own, 'member');
  expectRefusal(await member.client('/audit/export.csv'), 403, 'forbidden');
});
