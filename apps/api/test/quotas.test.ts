import { QUOTAS } from '@switchboard/core';
import { EVENTUALLY, type WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callBack } from './call-back.ts';
import {
  addFieldNames,
  insertApiKeys,
  insertContacts,
  insertErasures,
  insertInvites,
  insertMembers,
  insertNumbers,
  insertOptOuts,
  insertSavedReplies,
  insertSavedViews,
  insertWebhookEndpoints,
  insertProviders,
  insertWorkspaces,
} from './fill-quotas.ts';
import {
  type ApiResponse,
  type Service,
  ask,
  expectRefusal,
  shareService,
} from './start-service.ts';
import { type WorkspaceClient, anEmail, clientOf } from './workspace-client.ts';

let service: Service;
let workspace: WorkspaceFixture;
let owner: WorkspaceClient;

beforeAll(async () => {
  service = await shareService();
});
afterAll(() => service.close());
beforeEach(async () => {
  workspace = await service.addWorkspace();
  owner = clientOf(service, workspace, workspace.sessionToken);
});

/** Repeats a request that a busy service refuses with 503, as a client does. Nothing of it is stored. */
async function answered(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const until = Date.now() + EVENTUALLY.timeout;
  for (;;) {
    const response = await send();
    if (response.status !== 503 || Date.now() > until) return response;
  }
}

/** Sends five concurrent requests when the quota allows one more. Expects that one succeeds. */
async function expectOneMore(
  add: (n: number) => Promise<ApiResponse>,
  detail: string,
): Promise<ApiResponse> {
  const responses = await Promise.all([1, 2, 3, 4, 5].map((n) => answered(() => add(n))));
  const [added, ...more] = responses.filter(({ status }) => status === 201);
  expect([added?.status, more]).toEqual([201, []]);
  for (const response of responses) {
    if (response !== added) expectRefusal(response, 403, 'quota_exceeded', detail);
  }
  if (added === undefined) throw new Error('no request succeeded');
  return added;
}

test('a workspace cannot exceed its quota of API keys, and revoking a key allows another', async () => {
  // The fixture already has one.
  await insertApiKeys(service.sql, workspace.workspaceId, QUOTAS.apiKeysPerWorkspace - 2);
  const create = (n: number) => owner('/api-keys', { json: { name: `More ${n}` } });
  const detail = 'The quota of 100 API keys per workspace has been reached';
  const added = await expectOneMore(create, detail);
  await owner(`/api-keys/${String(added.json?.['id'])}`, { method: 'DELETE' });
  await expectOneMore(create, detail);
});

test('a workspace cannot exceed its quota of provider accounts', async () => {
  // The fixture already has one.
  await insertProviders(service.sql, workspace.workspaceId, QUOTAS.providersPerWorkspace - 2);
  await expectOneMore(
    () => owner('/providers', { json: { type: 'sandbox', credentials: {} } }),
    'The quota of 10 providers per workspace has been reached',
  );
});

test('a workspace cannot exceed its quota of numbers', async () => {
  const present = await service.sql('SELECT 1 FROM phone_numbers WHERE workspace_id = $1', [
    workspace.workspaceId,
  ]);
  const free = QUOTAS.numbersPerWorkspace - present.length;
  await insertNumbers(service.sql, workspace.workspaceId, free - 1);
  await expectOneMore(
    (n) => owner('/numbers', { json: { number: `+1333000000${n}` } }),
    'The quota of 1000 numbers per workspace has been reached',
  );
});

test('a workspace cannot exceed its quota of members, and a refused invite stays valid', async () => {
  const detail = 'The quota of 1000 members per workspace has been reached';
  const invite = async (email: string): Promise<string> => {
    const invited = await owner('/members', { json: { email, role: 'member' } });
    return String(invited.json?.['invite_token']);
  };
  const guests = await Promise.all(
    [1, 2, 3, 4, 5].map(async () => {
      const guest = await service.addWorkspace();
      return { guest, invite: await invite(guest.email) };
    }),
  );
  const accept = (n: number) => {
    const { guest, invite: token } = guests[n % guests.length] ?? {};
    const path = `/api/ui/invites/${token}/accept`;
    return ask(service.url, path, { method: 'POST', token: guest?.sessionToken ?? '' });
  };
  // The fixture already has one.
  await insertMembers(service.sql, workspace.workspaceId, QUOTAS.membersPerWorkspace - 2);
  const joined = await expectOneMore(accept, detail);

  const email = anEmail();
  const json = { email, name: 'New', password: 'long enough a password' };
  const invite_token = await invite(email);
  const signUp = () => ask(service.url, '/api/ui/users', { json: { ...json, invite_token } });
  expectRefusal(await signUp(), 403, 'quota_exceeded', detail);
  await owner(`/members/${String(joined.json?.['user_id'])}`, { method: 'DELETE' });
  expect((await signUp()).status).toBe(201);
});

test('a workspace cannot exceed its quota of open invites, but a new invite may replace an old one', async () => {
  await insertInvites(service.sql, workspace, QUOTAS.invitesPerWorkspace - 1);
  const detail = 'The quota of 1000 open invitations per workspace has been reached';
  const invite = (email: string) => owner('/members', { json: { email, role: 'member' } });
  await expectOneMore(() => invite(anEmail()), detail);
  expect((await invite('guest-1@example.com')).status).toBe(201);
  await service.sql(`UPDATE invites SET expires_at = now() WHERE email = 'guest-1@example.com'`);
  expect((await invite(anEmail())).status).toBe(201);
});

test('a workspace cannot exceed its quota of webhook endpoints', async () => {
  await insertWebhookEndpoints(
    service.sql,
    workspace.workspaceId,
    QUOTAS.webhookEndpointsPerWorkspace - 1,
  );
  await expectOneMore(
    (n) => owner('/webhook-endpoints', { json: { url: `https://example.com/${n}` } }),
    'The quota of 50 webhook endpoints per workspace has been reached',
  );
});

test('users cannot add more opt-outs to a workspace than the quota, but a STOP is always stored', async () => {
  const sendStop = (From: string) => {
    const MessageSid = `SM${From.slice(1).padStart(32, '0')}`;
    const fields = { MessageSid, From, To: workspace.from, Body: 'STOP' };
    return callBack(service.url, workspace, fields, { kind: 'inbound' });
  };
  await sendStop('+15557000001');
  await insertOptOuts(service.sql, workspace.workspaceId, QUOTAS.addedOptOutsPerWorkspace - 1);
  const add = (n: number) => owner('/opt-outs', { json: { number: `+1333000000${n}` } });
  const detail = 'The quota of 100000 opt-outs added by users has been reached';
  const added = await expectOneMore(add, detail);

  expect((await sendStop('+15557000002')).status).toBe(200);
  const listed = await owner('/opt-outs?limit=1');
  expect(listed.json).toMatchObject({ data: [{ number: '+15557000002', reason: 'STOP' }] });
  await owner(`/opt-outs/${String(added.json?.['number'])}`, { method: 'DELETE' });
  await expectOneMore((n) => add(n + 4), detail);
});

test('a workspace cannot exceed its quota of unfinished erasures', async () => {
  await insertErasures(service.sql, workspace.workspaceId, QUOTAS.openErasuresPerWorkspace - 1);
  const erase = (n: number) => owner(`/people/%2B1555000100${n}/erase`, { method: 'POST' });
  const detail = 'The quota of 100 unfinished erasures per workspace has been reached';
  await expectOneMore(erase, detail);
});

test('a workspace cannot exceed its quota of contacts, and an import beyond the quota stores nothing', async () => {
  const { workspaceId } = workspace;
  await insertContacts(service.sql, workspaceId, QUOTAS.contactsPerWorkspace - 1);
  const detail = 'The quota of 50000 contacts per workspace has been reached';
  const contacts = [{ number: '+13330000008' }, { number: '+13330000009' }];
  const imported = await owner('/contacts/import', { json: { contacts, existing: 'keep' } });
  expectRefusal(imported, 403, 'quota_exceeded', detail);
  await expectOneMore((n) => owner('/contacts', { json: { number: `+1333000000${n}` } }), detail);
});

test('a workspace cannot exceed its quota of contact field names, however a contact is written', async () => {
  const { workspaceId } = workspace;
  await insertContacts(service.sql, workspaceId, 20);
  await addFieldNames(service.sql, workspaceId, QUOTAS.contactFieldNamesPerWorkspace - 1);
  const detail = 'The quota of 200 contact field names per workspace has been reached';
  const add = (n: number) =>
    owner('/contacts', { json: { number: `+1333000000${n}`, fields: { [`More ${n}`]: '' } } });
  const added = await expectOneMore(add, detail);
  const id = String(added.json?.['id']);

  const before = await listContacts();
  const known = { 'Field 1': 'Value' };
  const fields = { ...known, Another: 'Value' };
  const contacts = [
    { number: '+13330000006', fields: known },
    { number: '+13330000007', fields },
  ];
  const json = { contacts, existing: 'keep' };
  const other = before.find((each) => Object.keys(each.fields).length === 0);
  const merge = { contact_id: other?.id };
  for (const refused of [
    await owner('/contacts', { json: { number: '+13330000008', fields } }),
    await owner(`/contacts/${merge.contact_id}`, { method: 'PATCH', json: { fields } }),
    await owner(`/contacts/${id}/merge`, { json: { ...merge, fields: { ...fields, b: '' } } }),
    await owner('/contacts/import', { json }),
    await owner('/contacts/import', { json: { ...json, dry_run: true } }),
  ]) {
    expectRefusal(refused, 403, 'quota_exceeded', detail);
  }
  expect(await listContacts()).toEqual(before);

  // A change that replaces the last use of a name frees it for another one.
  const renamed = await owner(`/contacts/${id}`, { method: 'PATCH', json: { fields } });
  expect(renamed.status).toBe(200);
  expect((await owner('/contacts/import', { json })).status).toBe(200);
  expectRefusal(await add(9), 403, 'quota_exceeded', detail);
  expect((await owner(`/contacts/${id}`, { method: 'DELETE' })).status).toBe(200);
  expectRefusal(await add(9), 403, 'quota_exceeded', detail);
  const kept = await service.sql(`SELECT id FROM contacts WHERE number = '+13330000007'`, []);
  expect((await owner(`/contacts/${String(kept[0]?.['id'])}`, { method: 'DELETE' })).status).toBe(
    200,
  );
  expect((await add(9)).status).toBe(201);
});

test('a workspace that had more field names before the quota may keep and change them, and not add others', async () => {
  await insertContacts(service.sql, workspace.workspaceId, 20);
  await addFieldNames(service.sql, workspace.workspaceId, 220);
  const [{ id, fields } = { id: '', fields: {} }] = await listContacts();
  const change = (json: object) => owner(`/contacts/${id}`, { method: 'PATCH', json });
  expect((await change({ name: 'Ada' })).status).toBe(200);
  const { 'Field 1': _dropped, ...others } = fields;
  expectRefusal(await change({ fields: { ...fields, More: '' } }), 400, 'invalid_params');
  expect((await change({ fields: others })).status).toBe(200);
  expectRefusal(await change({ fields: { ...others, 'More 1': '' } }), 403, 'quota_exceeded');
});

interface ListedContact {
  id: string;
  fields: Record<string, string>;
}

async function listContacts(): Promise<ListedContact[]> {
  const { json } = await owner('/contacts?limit=100');
  return json?.['data'] as ListedContact[];
}

test('a workspace cannot exceed its quota of saved replies', async () => {
  await insertSavedReplies(service.sql, workspace.workspaceId, QUOTAS.savedRepliesPerWorkspace - 1);
  await expectOneMore(
    (n) => owner('/saved-replies', { json: { name: `More ${n}`, body: 'Text' } }),
    'The quota of 1000 saved replies per workspace has been reached',
  );
});

test('a workspace cannot exceed its quota of saved views', async () => {
  await insertSavedViews(service.sql, workspace.workspaceId, QUOTAS.savedViewsPerWorkspace - 1);
  await expectOneMore(
    (n) => owner('/saved-views', { json: { name: `More ${n}`, filters: { status: 'sent' } } }),
    'The quota of 100 saved views per workspace has been reached',
  );
});

test('a user cannot own more workspaces than the quota', async () => {
  // The fixture already has one.
  await insertWorkspaces(service.sql, workspace.userId, QUOTAS.workspacesPerOwner - 2);
  await expectOneMore(
    (n) =>
      ask(service.url, '/api/ui/workspaces', {
        token: workspace.sessionToken,
        json: { name: `Workspace of mine ${n}` },
      }),
    'The quota of 100 workspaces per owner has been reached',
  );
});
